import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { listFiles, withExport } from "../../support/site-fixture.js";

const hostile = [
    ["control characters", "a\u0001b\u001b[2J\u007f\u0085\u2028c"],
    ["characters that are not in Unicode", "\uffff\ufffe\ufdd0"],
    ["markup", `<b a="1">&amp; &nbsp; &#1; &bogus; ]]> <!-- <![CDATA[ ' " </item>`],
    ["text without spaces", "改善&𠮷".repeat(300)],
    ["Markdown", "](x) [a]: # `code` **b** \\ \n# heading\n- item"],
] as const;

/** A strict parser, which refuses everything that is not well-formed XML. */
function assertIsXml(files: readonly string[]): void {
    const program =
        "import sys, xml.parsers.expat as e\nfor f in sys.argv[1:]: e.ParserCreate().ParseFile(open(f, 'rb'))";
    execFileSync("python3", ["-c", program, ...files], { stdio: ["ignore", "ignore", "pipe"] });
}

/** The name and the JSON in a file of the search, which pages load as a script; a stemmer is code. */
const searchFile = /^staticExportSearch\("((?!stemmer-)[^"]*)",(.*)\);\n$/s;

describe("generated files with hostile texts", () => {
    for (const [what, text] of hostile) {
        it(`are accepted by strict parsers: ${what}`, async () => {
            const quoted = JSON.stringify(text);
            const front = `title: ${quoted}\ndescription: ${quoted}\nkeywords: [${quoted}]\nrss: true`;
            const update = `<Update label={${quoted}} description={${quoted}} rss={{ title: ${quoted} }}>{${quoted}}</Update>`;
            const document = {
                openapi: "3.1.0",
                info: { title: text, version: "1" },
                paths: { "/a": { get: { summary: text, description: text, tags: [text], responses: {} } } },
            };
            const settings = {
                name: text,
                description: text,
                navigation: {
                    groups: [
                        { group: text, pages: ["index"] },
                        { group: `API ${text}`, openapi: "o.json" },
                    ],
                },
                redirects: [{ source: `/${text}`, destination: "/index" }],
            };
            const files = {
                "index.mdx": `---\n${front}\n---\n\n${update}\n\n## Heading {${quoted}}\n`,
                ".mintlify/skills/s/SKILL.md": `---\nname: skill\ndescription: ${quoted}\n---\n# Skill\n`,
                "o.json": JSON.stringify(document),
                "docs.json": JSON.stringify(settings),
            };
            await withExport(files, async ({ read, outDir }) => {
                const all = await listFiles(outDir);
                const xml = all.filter((file) => file.endsWith(".xml"));
                assert.deepEqual(xml, ["index/rss.xml", "sitemap.xml"]);
                assertIsXml(xml.map((file) => join(outDir, file)));
                const json = all.filter((file) => file.endsWith(".json"));
                for (const name of [
                    ".well-known/agent-skills/index",
                    "static-export/bundle",
                    "static-export/pages-1",
                ]) {
                    assert.ok(json.includes(`${name}.json`));
                }
                for (const file of json) {
                    JSON.parse(await read(file));
                }
                const search = all.filter((file) => /^static-export\/search\/(?!stemmer-).*\.js$/.test(file));
                assert.deepEqual(
                    [...new Set(search.map((file) => file.replace(/^static-export\/search\/|[-.].*/g, "")))],
                    ["0/scope", "0/terms", "pages", "text/0", "text/1"],
                );
                for (const file of search) {
                    const [, name, value = ""] = searchFile.exec(await read(file)) ?? [];
                    assert.equal(`static-export/search/${name ?? ""}.js`, file);
                    JSON.parse(value);
                }
                const list = await read("llms.txt");
                // Markdown reads `&#1;` as the replacement character.
                assert.ok(
                    list.isWellFormed() && (what === "markup" || !list.includes("\uFFFD")),
                    "half of a character",
                );
                const links = list.split("\n").filter((line) => line.startsWith("- "));
                const isLink = /^- \[(?:[^[\]\\]|\\.)*\]\(https:\/\/docs\.example\.com\/[^\s()]+\)(?:: .*)?$/u;
                assert.deepEqual(
                    links.map((line) => isLink.test(line)),
                    [true, true, true],
                );
            });
        });
    }
});
