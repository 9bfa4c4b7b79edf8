import assert from "node:assert/strict";
import { exportPage, warningsOf } from "../../support/site-fixture.js";

const script = '<script setup lang="ts">\nimport Home from "./Home.vue"\nconst a = "</p>"\n</script>\n';

describe("scripts of Vue components in Markdown", () => {
    it("are removed, and the page stays Markdown", async () => {
        const html = await exportPage("a.md", `# A\n\n${script}\nText {with} <!-- a comment --> <b>marks\n`);
        assert.match(html, /<p>Text {with} +<b>marks/);
        assert.doesNotMatch(html, /Home|script/);
    });

    it("do not change the line numbers of warnings", async () => {
        assert.deepEqual(await warningsOf({ "a.md": `${script}\n[Gone](/gone)\n` }), [
            "a.md:6: the link /gone leads to no page and no file of this site",
        ]);
    });

    it("are unchanged in code", async () => {
        assert.match(await exportPage("a.md", `\`\`\`vue\n${script}\`\`\`\n`), /Home/);
    });

    it("are text if they are not closed, so that they do not hide the rest of the page", async () => {
        assert.match(await exportPage("a.md", "<script setup>\n\nText\n"), /&lt;script setup&gt;[^]*<p>Text/);
    });
});
