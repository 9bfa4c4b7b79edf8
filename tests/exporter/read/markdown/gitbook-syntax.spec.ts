import assert from "node:assert/strict";
import { warningsOf, withExport } from "../../support/site-fixture.js";

describe("The syntax of pages in GitBook's documentation", () => {
    const kept: [string, string, RegExp][] = [
        ["hints", '{% hint style="info" %}\nWord\n{% endhint %}', /callout[^]*Word/],
        ["tabs", '{% tabs %}\n{% tab title="One" %}\nWord\n{% endtab %}\n{% endtabs %}', /One[^]*Word/],
        ["steps", "{% stepper %}\n{% step %}\nWord\n{% endstep %}\n{% endstepper %}", /Word/],
        [
            "code with a title",
            '{% code title="a.js" overflow="wrap" %}\n```js\nWord\n```\n{% endcode %}',
            /a\.js[^]*Word/,
        ],
        ["columns", "{% columns %}\n{% column %}\nWord\n{% endcolumn %}\n{% endcolumns %}", /Word/],
        [
            "columns with widths",
            '{% columns %}\n{% column width="58.3%" %}\nWord\n{% endcolumn %}\n{% endcolumns %}',
            /Word/,
        ],
        [
            "addresses with percent signs",
            '{% embed url="https://example.com/a%20film" %}\n\nWord',
            /<a href="https:\/\/example\.com\/a%20film"[^]*Word/,
        ],
        ["hints with percent signs", '{% hint style="info" title="100%" %}\nWord\n{% endhint %}', /callout[^]*Word/],
        [
            "captions of embedded addresses",
            '{% embed url="https://example.com/film" caption="Words below it" %}',
            /example\.com\/film[^]*Words below it/,
        ],
        ["embedded addresses", '{% embed url="https://example.com/film" %}', /<a href="https:\/\/example\.com\/film"/],
        [
            "links to pages",
            '{% content-ref url="https://a.example/b" %}\n[b](https://a.example/b)\n{% endcontent-ref %}',
            /a\.example/,
        ],
        [
            "old links to pages",
            '{% page-ref page="https://a.example/b" %}',
            /<a href="https:\/\/a\.example\/b"[^>]*>b</,
        ],
        ["blocks with an address", '{% @github-files/github-code-block url="https://a.example/b.js" %}', />b\.js</],
        [
            "updates",
            '{% updates format="full" %}\n{% update date="2026-08-06" tags="fixes" %}\n## Word\n{% endupdate %}\n{% endupdates %}',
            /2026-08-06[^]*fixes[^]*Word/,
        ],
        ["prompts", '{% prompt description="Ask this" %}\n```\nWord\n```\n{% endprompt %}', /Ask this[^]*Word/],
        [
            "prompts with a title",
            '{% prompt title="Title" description="Ask this" %}\n```\nWord\n```\n{% endprompt %}',
            /Title[^]*Ask this[^]*Word/,
        ],
        ["expandable text", "<details>\n\n<summary>More</summary>\n\nWord\n\n</details>", /More[^]*Word/],
        ["cards", '<table data-view="cards"><tbody><tr><td>Word</td></tr></tbody></table>', /Word/],
        ["buttons", '<a href="https://a.example" class="button primary" data-icon="rocket">Word</a>', /Word/],
        ["coloured text", '<mark style="color:orange;">Word</mark>', /Word/],
        [
            "figures",
            '<figure><img src="https://a.example/p.png" alt="Alt"><figcaption><p>Word</p></figcaption></figure>',
            /Word/,
        ],
        ["formulas", "$$a + b$$", /katex/],
        ["tasks", "- [x] Word", /checkbox[^]*Word/],
    ];
    for (const [what, source, shown] of kept) {
        it(`is shown, without tags and warnings: ${what}`, async () => {
            await withExport({ "a.md": `# A\n\n${source}\n` }, async ({ read, warnings }) => {
                const [html = ""] = /<article[^]*<\/article>/.exec(await read("a.html")) ?? [];
                assert.match(html, shown);
                assert.doesNotMatch(html, /\{%/);
                assert.deepEqual(warnings, []);
            });
        });
    }

    const reported: [string, string, RegExp][] = [
        [
            "operations",
            '{% openapi src="a.yaml" path="/a" method="get" %}\n[a](a)\n{% endopenapi %}',
            /operations and schemas of GitBook/,
        ],
        ["included files", '{% include "../.gitbook/includes/a.md" %}', /included files of GitBook and Jinja/],
        ["blocks without an address", '{% @mermaid/diagram content="a" %}', /blocks of GitBook's integrations/],
        ["variables", 'Mail <code class="expression">space.vars.mail</code>.', /variables of GitBook/],
        ["conditions", "{% if visitor.claims.a %}\nWord\n{% endif %}", /tags of Liquid/],
    ];
    for (const [what, source, message] of reported) {
        it(`is reported if exports do not support it: ${what}`, async () => {
            assert.match((await warningsOf({ "index.md": `# A\n\n${source}\n`, "a.md": "# B" })).join("\n"), message);
        });
    }

    it("is reported for front matter without an effect, which other builders may use in another way", async () => {
        const front = "if: visitor.claims.a\ncover: .gitbook/assets/a.png\nvars:\n  a: b\nlayout:\n  width: wide";
        const reasons = (await warningsOf({ "a.md": `---\n${front}\n---\n# A\n` })).map((text) => text.slice(0, 45));
        assert.deepEqual(reasons, [
            "a.md:2: the key if has no effect: everybody w",
            "a.md:4: the key vars has no effect: pages sho",
            "a.md:3: the key cover has no effect: pages sh",
            "a.md:6: the key layout has no effect: pages h",
        ]);
        assert.deepEqual(await warningsOf({ "a.md": "---\nlayout: post\n---\n# A\n" }), []);
    });

    const anchors: [string, string][] = [
        ["2. Create the editor", "id-2.-create-the-editor"],
        ["Release 4.5", "release-4.5"],
        ["C API: BugSplatC.h", "c-api-bugsplatc.h"],
        ["Part 3 – Vue.js (No-Code)", "part-3-vue.js-no-code"],
    ];
    for (const [heading, anchor] of anchors) {
        it(`are anchors of headings: #${anchor}`, async () => {
            const files = { "index.md": `# Home\n\n[to](a.md#${anchor})`, "a.md": `# A\n\n## ${heading}\n\nText` };
            await withExport(files, async ({ read, warnings }) => {
                assert.ok((await read("a.html")).includes(`<span id="${anchor}"></span>`));
                assert.deepEqual(warnings, []);
            });
        });
    }
});
