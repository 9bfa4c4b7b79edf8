import assert from "node:assert/strict";
import { exportPage, warningsOf, withExport } from "../../support/site-fixture.js";

/** Returns the callouts of a page, from the outermost to the innermost: kind, title and text. */
async function calloutsOf(file: string, source: string): Promise<string[]> {
    const html = await exportPage(file, source);
    const callouts = html.matchAll(
        /<div class="callout (\w+)" role="note" aria-label="[^"]*"><p class="callout-title">([^<]*)<\/p>\s*(?:<p>([^<]*)<\/p>)?/g,
    );
    return [...callouts].map(([, ...parts]) => parts.map((part) => part ?? "").join("|"));
}

describe("admonitions", () => {
    it("in the notation of Docusaurus, VitePress and Starlight become callouts", async () => {
        for (const file of ["a.md", "a.mdx"]) {
            const source =
                ":::note\nOne\n:::\n\n::: tip Try it\nTwo\n:::\n\n:::danger[Mind that]\n\nThree\n\n:::\nAfter";
            assert.deepEqual(await calloutsOf(file, source), [
                "note|Note|One",
                "tip|Try it|Two",
                "danger|Mind that|Three",
            ]);
            assert.match(await exportPage(file, source), /<\/div>\s*<p>After<\/p>$/);
        }
    });

    it("become a code group with titles if they are code groups of VitePress", async () => {
        const source = "::: code-group\n\n```sh [npm]\nnpm i\n```\n\n```sh [pnpm]\npnpm i\n```\n\n:::\n\nAfter\n";
        await withExport({ "a.md": source }, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, />npm<\/div>[^]*npm i[^]*>pnpm<\/div>[^]*pnpm i[^]*<p>After/);
            assert.doesNotMatch(html, /:::|code-group/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("may be nested and in lists, and may contain code", async () => {
        const source =
            "::::warning\n:::info\nIn\n:::\nOut\n::::\n\n- item\n\n  :::tip\n  Deep\n  :::\n\n:::note\n```md\n:::tip\n:::\n```\n:::\n";
        assert.deepEqual(await calloutsOf("a.md", source), [
            "warning|Warning|",
            "info|Info|In",
            "tip|Tip|Deep",
            "note|Note|",
        ]);
        const html = await exportPage("a.md", source);
        assert.match(html, /<li>[^]*class="callout tip"[^]*<\/li>/);
        assert.match(html, />:::tip\n:::\n</);
    });

    it("in the notation of MkDocs become callouts, but only in Markdown", async () => {
        const source = '!!! warning "Hot"\n    One\n\n    Two\n\n    !!! note\n        In\n\nEnd\n';
        assert.deepEqual(await calloutsOf("a.md", source), ["warning|Hot|One", "note|Note|In"]);
        assert.match(await exportPage("a.md", source), /<p>End<\/p>$/);
        assert.deepEqual(await calloutsOf("a.mdx", "!!! warning\n"), []);
    });

    it("may be alerts with a title, as in Obsidian", async () => {
        assert.deepEqual(await calloutsOf("a.md", "> [!success] Done\n> All"), ["check|Done|All"]);
    });

    it("are unchanged if they are unknown, unclosed or in code", async () => {
        for (const source of [
            ":::columns\nA\n:::",
            ":::note\nA",
            "```\n:::note\nA\n:::\n```",
            "1. ```\n   :::note\n   A\n   :::\n   ```",
            "!!! wow\n\nA",
        ]) {
            const html = await exportPage("a.md", source);
            assert.doesNotMatch(html, /callout/);
            assert.match(html, /:::|!!!/);
        }
    });

    it("preserve the line numbers of warnings", async () => {
        const files = { "a.md": ":::note[T]\nA\n:::\n\n:::tip\n[x](/gone)\n:::\n" };
        assert.deepEqual(await warningsOf(files), ["a.md:6: the link /gone leads to no page and no file of this site"]);
    });

    it("are parsed quickly even if they are nested very deeply", async () => {
        const html = await exportPage("a.md", `${":::note\n".repeat(50_000)}${":::\n".repeat(50_000)}`);
        assert.match(html, /:::note/);
    }).timeout(20_000);
});

describe("GitBook's tags in Markdown", () => {
    const readPage = async (file: string, source: string) => {
        assert.deepEqual(await warningsOf({ [file]: source }), []);
        const html = await exportPage(file, source);
        assert.doesNotMatch(html, /\{%/);
        return html;
    };

    it("become callouts, titles and links instead of literal text", async () => {
        const html = await readPage(
            "a.md",
            '# A\n\n{% hint style="warning" %}\nMind **this**.\n{% endhint %}\n\n{% tabs %}\n{% tab title="npm" %}\nRun it.\n{% endtab %}\n{% endtabs %}\n\n' +
                '{% code title="a.js" %}\n```js\nx\n```\n{% endcode %}\n\n{% embed url="https://example.com/video" %}\n\n' +
                '1. one\n\n   {% hint style="info" %}\n   two\n   {% endhint %}\n',
        );
        assert.match(
            html,
            /class="callout warning"[^]*Mind <strong>this<\/strong>[^]*<strong>npm<\/strong><br>\s*Run it/,
        );
        assert.match(html, /<strong>a\.js<\/strong>[^]*<a href="https:\/\/example\.com\/video"[^>]*>video<\/a>/);
        assert.match(html, /<li>[^]*one[^]*class="callout info"[^]*two/);
    });

    it("are parsed in MDX, and in the notation of Markdoc", async () => {
        const html = await readPage(
            "a.mdx",
            '<Tip>t</Tip>\n\n{% hint style="info" %}\nMind **this**.\n{% endhint %}\n\n{% tabs %}\n{% tab label="npm" %}\nRun it.\n{% /tab %}\n{% /tabs %}\n',
        );
        assert.match(
            html,
            /callout tip[^]*class="callout info"[^]*<strong>this<\/strong>[^]*<strong>npm<\/strong><br>/,
        );
    });

    it("are unchanged in code, within lines of text, and if GitBook does not define them", async () => {
        const page =
            '# A\n\n{% tabs %}\n\nuse `{% hint %}` and {% hint %}\n\n```\n{% hint style="info" %}\n```\n\n{% raw %}\n';
        assert.match(
            await exportPage("a.md", page),
            /use <code>\{% hint %\}<\/code> and \{% hint %\}[^]*\{% hint style=[^]*\{% raw %\}/,
        );
    });
});

describe("tabs of MkDocs", () => {
    const titlesOf = (html: string) =>
        [...html.matchAll(/<p class="tab-title">([^<]*)<\/p>/g)].map(([, title]) => title);

    it("become tabs with their content, in one list of tabs per group", async () => {
        const source = `# A

=== "Latest"

    \`\`\` sh
    pip install a
    \`\`\`

=== ":octicons-file-code-16: \`a.yml\` file"

    !!! note
        Within a **tab**.

Between.

===+ "Third"
    Directly below.
`;
        const html = await exportPage("a.md", source);
        assert.deepEqual(titlesOf(html), ["Latest", "a.yml file", "Third"]);
        assert.equal(html.split('<div class="tabs"').length, 3);
        const first = /data-title="Latest">[\s\S]*?<\/section>/.exec(html)?.[0] ?? "";
        assert.match(first, /<div class="code"[\s\S]*pip install a/);
        assert.match(html, /<div class="callout note"[\s\S]*Within a <strong>tab<\/strong>\./);
        assert.match(html, /data-title="Third"><p class="tab-title">Third<\/p>\s*<p>Directly below\.<\/p>/);
        assert.doesNotMatch(html, /===|\[!TAB|blockquote/);
        assert.deepEqual(await warningsOf({ "a.md": source }), []);
    });

    it("may be in a list and in other tabs, and are not read in code", async () => {
        const nested = '1. One\n\n    === "A"\n\n        Text\n\n        === "Inner"\n\n            Deep\n';
        assert.deepEqual(titlesOf(await exportPage("a.md", nested)), ["A", "Inner"]);
        const fence = '```\n=== "A"\n\n    ``` c\n    one\n    ```\n\n=== "B"\n\n    Text\n```\n';
        for (const code of [fence, 'Term\n:   Text\n\n    === "A"\n\n        Text\n']) {
            const html = await exportPage("a.md", code);
            assert.deepEqual(titlesOf(html), []);
            assert.doesNotMatch(html, /TAB\]/);
        }
    });
});
