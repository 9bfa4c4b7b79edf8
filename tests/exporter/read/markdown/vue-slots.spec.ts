import assert from "node:assert/strict";
import { exportPage, warningsOf } from "../../support/site-fixture.js";

const page = `# Send

<ApiExample>
<template #curl>

\`\`\`bash
curl https://example.com
\`\`\`

</template>

<template v-slot:js="props">

Call **fetch**.

</template>
<template #default>

Below.

</template>
</ApiExample>
`;

describe("slots of Vue components", () => {
    it("become tabs with the names of the slots", async () => {
        const html = await exportPage("a.md", page);
        assert.match(
            html,
            /<div class="tabs" data-sync(?:="")?><section class="tab" data-title="curl"><p class="tab-title">curl<\/p>[\s\S]*https:\/\/example\.com[\s\S]*<section class="tab" data-title="js"><p class="tab-title">js<\/p>[\s\S]*<strong>fetch<\/strong>[\s\S]*<\/section>\s*<\/div>[\s\S]*<p>Below\.<\/p>/,
        );
        assert.doesNotMatch(html, /template/);
        assert.deepEqual(await warningsOf({ "a.md": page }), [
            "a.md:3: there is no element of HTML and no component <apiexample>; its content is shown instead",
        ]);
    });

    it("are unchanged in code", async () => {
        const html = await exportPage("a.md", "Write `<template #curl>` and:\n\n```vue\n<template #js>\n```\n");
        assert.match(html, /#curl[\s\S]*js/);
        assert.doesNotMatch(html, /data-slot/);
    });
});

describe("content that HTML hides", () => {
    it("is shown with a warning if it is in a template", async () => {
        const source = "# A\n\n<template>\n\nInside\n\n</template>\n";
        assert.match(await exportPage("a.md", source), /<p>Inside<\/p>/);
        assert.deepEqual(await warningsOf({ "a.md": source }), [
            "a.md:3: browsers hide the content of <template>: it is shown without it",
        ]);
    });

    it("is reported if an attribute or noscript hides it", async () => {
        const source = "# A\n\n<div hidden>Inside</div>\n\n<noscript>Without</noscript>\n\n<span hidden></span>\n";
        for (const file of ["a.md", "a.mdx"]) {
            assert.deepEqual(
                (await warningsOf({ [file]: source })).map((text) => text.slice(text.indexOf(" ") + 1)),
                [
                    "hidden in <div> hides its content from readers: remove it if they should see it",
                    "<noscript> hides its content from readers: remove it if they should see it",
                ],
            );
        }
    });
});
