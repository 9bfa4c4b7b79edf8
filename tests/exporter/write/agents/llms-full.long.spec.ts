import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { withExport, withRepeatedExports, writeFiles } from "../../support/site-fixture.js";

const files = {
    "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["a", "b"] } }),
    "a.md": "---\ntitle: A\ndescription: About A\n---\n\nText of A.",
    "b.md": "# B\n\nText of B.",
    "loose.md": "# Loose",
};

describe("the file with the Markdown of all pages", () => {
    it("contains the title, address, description and text of each listed page", async () => {
        await withExport(files, async (site) => {
            assert.equal(
                await site.read("llms-full.txt"),
                "# Docs\n\n# A\n\nSource: https://docs.example.com/a\n\n> About A\n\nText of A.\n\n# B\n\nSource: https://docs.example.com/b\n\nText of B.\n",
            );
        });
    });

    it("is replaced by the site's own file", async () => {
        await withExport({ ...files, "llms-full.txt": "Own" }, async (site) => {
            assert.equal(await site.read("llms-full.txt"), "Own");
            assert.equal(await site.read(".well-known/llms-full.txt"), "Own");
        });
    });

    it("is reused if no page changes, and is updated when a page changes", async () => {
        await withRepeatedExports(files, async ({ sourceDir, again }) => {
            const textOf = async (archive: string) => gunzipSync(await readFile(archive)).toString();
            await again();
            await again();
            await writeFiles(sourceDir, { "b.md": "# B\n\nAnother text of B." });
            const archivePath = join(sourceDir, "..", "changed.tar.gz");
            await again({ archivePath });
            assert.match(await textOf(archivePath), /Source: https:\/\/docs.example.com\/b\n\nAnother text of B\./);
        });
    });

    it("is reused in parts, and only parts with a changed page are written again", async () => {
        const page = (name: string) => `# ${name}\n\n${`Words of ${name}. `.repeat(4000)}`;
        const names = Array.from({ length: 40 }, (_, at) => `page-${String(at).padStart(2, "0")}`);
        const large = Object.fromEntries(names.map((name) => [`${name}.md`, page(name)]));
        await withRepeatedExports(large, async ({ sourceDir, again }) => {
            const written: string[] = [];
            const onPage = (file: string | undefined) => void (file !== undefined && written.push(file));
            await again();
            await writeFiles(sourceDir, { "page-02.md": `${page("page-02")} Another sentence.` });
            const archivePath = join(sourceDir, "..", "changed.tar.gz");
            // `again` compares the archive with the archive of a full export.
            await again({ archivePath, onPage });
            assert.match(gunzipSync(await readFile(archivePath)).toString(), /Another sentence\.[^]*Words of page-39/);
            assert.deepEqual([written.includes("page-02.md"), written.includes("page-39.md")], [true, false]);
        });
    });

    it("lists several files if the site is too large for a single file", async () => {
        const large = { "b.md": "x ".repeat(700_000) };
        await withExport({ ...files, ...large }, async (site) => {
            assert.match(await site.read("llms-full.txt"), /x x/);
        });
        await withExport({ ...files, ...large, "a.md": "x ".repeat(700_000) }, async (site) => {
            const address = "https://docs.example.com/llms-full";
            const list = `# Docs\n\nThe pages of this site are in 2 files:\n\n- [A – A](${address}-1.txt)\n- [B – B](${address}-2.txt)\n`;
            assert.equal(await site.read("llms-full.txt"), list);
            assert.equal(await site.read(".well-known/llms-full.txt"), list);
            assert.match(await site.read("llms-full-1.txt"), /^# A\n\nSource: [^\n]*\n\nx x/);
            assert.match(await site.read("llms-full-2.txt"), /^# B\n\nSource: [^\n]*\n\nx x/);
        });
    });

    it("counts an operation's description towards the size limit, but not the surrounding document", async () => {
        const siteWith = (content: string) => {
            const get = { responses: {}, "x-mint": { content } };
            const info = { title: "A", version: "1", description: "x ".repeat(350_000) };
            return {
                "docs.json": JSON.stringify({ navigation: { groups: [{ group: "API", openapi: "api.json" }] } }),
                "api.json": JSON.stringify({
                    openapi: "3.1.0",
                    info,
                    paths: { "/a": { get }, "/b": { get }, "/c": { get } },
                }),
            };
        };
        await withExport(siteWith("Own words."), async (site) => {
            assert.equal((await site.read("llms-full.txt")).split("Own words.").length, 4);
        });
        await withExport(siteWith("x ".repeat(350_000)), async (site) => {
            assert.match(await site.read("llms-full.txt"), /^The pages of this site are in 2 files:$/m);
        });
    });
});
