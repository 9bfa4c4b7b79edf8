import assert from "node:assert/strict";
import { PageSources } from "../../../exporter/src/plan/page-sources.js";
import { FoundFiles } from "../../../exporter/src/read/files/found-files.js";
import { withExport } from "../support/site-fixture.js";

describe("a page without front matter", () => {
    it("takes its title from a heading of MDX without the source of expressions", async () => {
        const titles = {
            "T {1 + 1}": "T",
            "A {'b'} c": "A b c",
            "Use `{a}`": "Use {a}",
            "\\{a}": "{a}",
            "B {/* x */}": "B",
        };
        for (const [heading, title] of Object.entries(titles)) {
            await withExport({ "a.mdx": `# ${heading}\n` }, async (site) => {
                assert.equal(
                    /<title>([^<]*)<\/title>/.exec(await site.read("a.html"))?.[1],
                    `${title} &ndash; docs.example.com`,
                );
            });
        }
        await withExport({ "a.md": "# T {1 + 1}\n" }, async (site) => {
            assert.match(await site.read("a.html"), /<title>T \{1 \+ 1\} /);
        });
    });
});

describe("A page's file", () => {
    it("is read once, even if the navigation lists operations that pages may describe", async () => {
        const paths = { "/pets": { get: { tags: ["pets"], summary: "List" } } };
        const api = { openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths };
        const files = {
            "docs.json": JSON.stringify({ navigation: { groups: [{ group: "API", openapi: "api.json" }] } }),
            "api.json": JSON.stringify(api),
            "list.mdx": `---\ntitle: All pets\nopenapi: GET /pets\n---\n\n${"They are listed. ".repeat(20)}\n`,
        };
        const { readText } = FoundFiles.prototype;
        const read: string[] = [];
        FoundFiles.prototype.readText = function (file, ...others) {
            read.push(file);
            return readText.call(this, file, ...others);
        };
        try {
            await withExport(files, async (site) => {
                assert.deepEqual(
                    (await site.files()).filter((file) => file.endsWith(".md")),
                    ["list.md"],
                );
            });
        } finally {
            FoundFiles.prototype.readText = readText;
        }
        assert.deepEqual(
            read.filter((file) => file === "list.mdx"),
            ["list.mdx"],
        );
    });
});

/** Reads these pages with memory for ten characters; returns their sources and the files that were read. */
function sourcesOf(texts: Record<string, string>): { sources: PageSources; read: string[] } {
    const read: string[] = [];
    const sources = new PageSources((file) => {
        read.push(file);
        return texts[file] ?? "";
    }, 10);
    return { sources, read };
}

describe("the sources of a site's pages", () => {
    it("are read only once if they fit into memory", () => {
        const { sources, read } = sourcesOf({ "a.md": "aaaa", "b.md": "bbbb" });
        const first = ["a.md", "b.md"].map((file) => sources.first(file));
        const again = ["a.md", "b.md"].map((file) => sources.again(file, () => assert.fail("it was not read again")));
        assert.deepEqual(again, first);
        assert.deepEqual(read, ["a.md", "b.md"]);
    });

    it("are read again when their page is written, if they do not fit into memory", () => {
        const { sources, read } = sourcesOf({ "a.md": "aaaaaaaa", "b.md": "bbbbbbbb" });
        ["a.md", "b.md"].forEach((file) => sources.first(file));
        assert.equal(
            sources.again("b.md", () => undefined),
            "bbbbbbbb",
        );
        assert.equal(
            sources.again("b.md", () => undefined),
            "bbbbbbbb",
        );
        assert.deepEqual(read, ["a.md", "b.md", "b.md"]);
    });

    it("are refused if they have changed since the first read", () => {
        const texts = { "a.md": "aaaaaaaaaaaa" };
        const { sources } = sourcesOf(texts);
        sources.first("a.md");
        texts["a.md"] = "other";
        const check = (source: string) => assert.notEqual(source, "other", "replaced");
        assert.throws(() => sources.again("a.md", check), /replaced/);
        assert.throws(() => sources.again("a.md", check), /replaced/, "also the second time");
    });
});
