import assert from "node:assert/strict";
import { exportPage, withExport } from "../../support/site-fixture.js";

describe("ids of headings", () => {
    const idsOf = async (source: string) =>
        [...(await exportPage("a.mdx", source)).matchAll(/ id="(?!header"|page-title")([^"]*)"/g)].map(
            (match) => match[1],
        );

    it("follow the platforms' rule, and also match links that follow GitHub's rule", async () => {
        assert.deepEqual((await idsOf("## Config.json options")).slice(0, 2), [
            "config-json-options",
            "configjson-options",
        ]);
        assert.deepEqual((await idsOf("## What's new")).slice(0, 2), ["what’s-new", "whats-new"]);
        assert.deepEqual((await idsOf("## Fees & billing")).slice(0, 2), ["fees-&amp;-billing", "fees--billing"]);
        assert.deepEqual(await idsOf("## Plain words\n\n## Plain words"), [
            "plain-words",
            "plain-words-2",
            "plain-words-1",
        ]);
    });

    it("contain no invisible marks of emoji", async () => {
        assert.equal((await idsOf("## Theory and practice 🏝️🛟"))[0], "theory-and-practice");
        assert.equal((await idsOf("## 1️⃣ First step"))[0], "1-first-step");
        assert.equal((await idsOf("## ❤️ Love"))[0], "love");
    });

    it("contain the values of expressions, and match links to the text without them", async () => {
        const source = 'export const v = "2.0";\n\n## Version {v}\n\n### {v}\n\n## Since <b>{v}</b> `x`\n';
        assert.deepEqual(await idsOf(source), [
            "version-2-0",
            "version-20",
            "version-2.0",
            "version",
            ...["2-0", "20", "2.0", "id-2.0", "_2-0"],
            ...["since-2-0-x", "since-20-x", "since-2.0-x", "since--x", "since-x"],
        ]);
        assert.deepEqual(await idsOf('export const v = "2.0";\n\n## Version {v}\n\n## Version\n'), [
            ...["version-2-0", "version-20", "version-2.0", "version", "version-1"],
        ]);
    });

    it("differ for each use of a snippet whose heading contains a value", async () => {
        const snippet = "## From {name}\n";
        const page = 'import S from "/snippets/s.mdx"\n\n<S name="Ada" />\n\n<S name="Bob" />\n\n## End\n';
        await withExport({ "a.mdx": page, "snippets/s.mdx": snippet }, async ({ read }) => {
            const toc = /<aside class="toc[^]*?<\/aside>/.exec(await read("a.html"))?.[0] ?? "";
            const entries = [...toc.matchAll(/href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, text]) => [href, text]);
            assert.deepEqual(entries, [
                ["#from-ada", "From Ada"],
                ["#from-bob", "From Bob"],
                ["#end", "End"],
            ]);
        });
    });

    it("match links that hyphenate all punctuation or none", async () => {
        const hyphenated = {
            "`_meta`": "meta",
            "CI/CD": "ci-cd",
            "`end_session()`": "end-session",
            "v2.0 / v3": "v2-0-v3",
        };
        const kept = { "Pay + tax": "pay-+-tax", "Step 2: go": "step-2:-go", "With $ref": "with-$ref" };
        const keptBeyondAscii = {
            "`session.in` — clients → task": "session-in-—-clients-→-task",
            "👩‍💻 Setup!": "👩‍💻-setup",
        };
        const keptInAddresses = { "Bitwise not, `~`": "bitwise-not,", 'What is a "dict_get?"': "what-is-a-dict-get?" };
        const keptAsPrinted = {
            '2.5. Shardchain state: "bag of cells" -- all': "2-5-shardchain-state:-“bag-of-cells”-—-all",
            "If...else": "if…else",
        };
        const all = { ...hyphenated, ...kept, ...keptBeyondAscii, ...keptInAddresses, ...keptAsPrinted };
        for (const [heading, id] of Object.entries(all)) {
            assert.ok((await idsOf(`## ${heading}`)).includes(id), heading);
        }
    });

    it("match the links of Docusaurus, VitePress and MkDocs to headings with full stops and digits", async () => {
        const ids = {
            "Use vue.js": ["use-vuejs", "use-vue-js"],
            "vue.js": ["vuejs", "vue-js"],
            "F.A.S.T. tool": ["fast-tool", "f-a-s-t-tool"],
            "1. Install node.js – now": ["1-install-nodejs--now", "_1-install-node-js-now", "1-install-nodejs-now"],
            "2 steps": ["2-steps", "_2-steps"],
        };
        for (const [heading, wanted] of Object.entries(ids)) {
            const found = await idsOf(`## ${heading}`);
            wanted.forEach((id) => assert.ok(found.includes(id), `${id}: ${found.join(" ")}`));
        }
    });

    it("match the links of GitBook to headings with ampersands, digits and full stops", async () => {
        const ids = { "DDD & CQRS": "ddd-and-cqrs", "Q&A": "q-and-a", "2. Create a site": "id-2.-create-a-site" };
        for (const [heading, id] of Object.entries(ids)) {
            const found = await idsOf(`## ${heading}`);
            assert.ok(found.includes(id), found.join(" "));
        }
    });

    it("match the numbers that GitHub and the platforms add to equal headings", async () => {
        const ids = await idsOf("## `store_int`\n\n## `store_int`\n\n## `store_int`\n");
        for (const id of ["store-int", "store-int-1", "store-int-2", "store-int-3", "store_int-1", "store_int-3"]) {
            assert.ok(ids.includes(id), `${id}: ${ids.join(" ")}`);
        }
        assert.deepEqual(ids, [...new Set(ids)]);
        const html = await exportPage("a.mdx", "## CI/CD\n\n## CI/CD\n\n## CI CD 2\n");
        assert.match(html, /<h2 id="ci-cd-2">/);
    });

    it("match links that omit the accents of Latin letters, but not of other scripts", async () => {
        assert.deepEqual(await idsOf("## Explicação"), ["explicação", "explicacao"]);
        assert.deepEqual(await idsOf("## 사용법"), ["사용법"]);
        assert.deepEqual(await idsOf("## हिन्दी"), ["हिन्दी"]);
    });

    it("take precedence if they follow the platforms' rule", async () => {
        const html = await exportPage("a.mdx", "## CI/CD\n\n## CI CD");
        assert.match(html, /<h2 id="ci-cd"><span id="ci-cd-1"><\/span>CI CD/);
    });

    it("follow the platforms' rule and GitHub's rule in tabs, steps and accordions", async () => {
        const titles = ["Tab & bar, too", "I/O?", "我没有飞书/钉钉，如何？"];
        const [tab, step, accordion] = titles;
        const ids = await idsOf(
            `<Tabs><Tab title="${tab}">x</Tab></Tabs>\n\n<Steps><Step title="${step}">x</Step></Steps>\n\n<Accordion title="${accordion}">x</Accordion>`,
        );
        for (const id of [
            "tab-&amp;-bar-too",
            "tab--bar-too",
            "i/o",
            "io",
            "我没有飞书/钉钉如何",
            "我没有飞书钉钉如何",
        ]) {
            assert.ok(ids.includes(id), `${id}: ${ids.join(" ")}`);
        }
        assert.deepEqual(ids, [...new Set(ids)]);
    });

    it("are unique, also among steps, tabs, fields and updates", async () => {
        const ids = await idsOf(
            '## One\n\n<Steps>\n  <Step title="One">x</Step>\n</Steps>\n\n<ParamField body="one">x</ParamField>\n\n<Update label="One">x</Update>\n\n## One\n\n## One 2\n',
        );
        assert.deepEqual(ids, [...new Set(ids)]);
        assert.deepEqual(ids.slice(0, 4), ["one", "one-2", "param-one", "one-3"]);
    });

    it("do not collide with ids outside of the article", async () => {
        assert.deepEqual(await idsOf("## Content\n\n## Sidebar"), ["content", "sidebar"]);
    });

    it("are not in the contents list if the heading is in a closed section", async () => {
        const source = '## A\n\n<Tabs>\n  <Tab title="T">\n    ## In a tab\n  </Tab>\n</Tabs>\n\n## B\n';
        await withExport({ "a.mdx": source }, async (site) => {
            const toc = /<aside class="toc"[^>]*>[\s\S]*<\/aside>/.exec(await site.read("a.html"))?.[0] ?? "";
            assert.deepEqual(
                [...toc.matchAll(/href="#([^"]*)"/g)].map((match) => match[1]),
                ["a", "b"],
            );
        });
    });
});
