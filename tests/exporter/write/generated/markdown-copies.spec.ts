import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { withExport, withRepeatedExports, writeFiles } from "../../support/site-fixture.js";

const config = (settings: object = {}) =>
    JSON.stringify({ name: "Docs", navigation: { pages: ["a", "b"] }, ...settings });

const files = {
    "docs.json": config(),
    "a.md": "---\ntitle: A\ndescription: About A\n---\n\nText of A.",
    "b.md": "# B\n\nText of B.",
    "loose.md": "# Loose",
};

describe("the file with the Markdown of all pages", () => {
    it("has the title, address, description and text of each listed page", async () => {
        await withExport(files, async (site) => {
            assert.equal(
                await site.read("llms-full.txt"),
                "# Docs\n\n# A\n\nSource: https://docs.example.com/a\n\n> About A\n\nText of A.\n\n# B\n\nSource: https://docs.example.com/b\n\nText of B.\n",
            );
        });
    });

    it("is the site's own if it has one", async () => {
        await withExport({ ...files, "llms-full.txt": "Own" }, async (site) => {
            assert.equal(await site.read("llms-full.txt"), "Own");
        });
    });

    it("is reused while no page changes, and follows changed pages", async () => {
        await withRepeatedExports(files, async ({ siteDir, again }) => {
            const textOf = async (archive: string) => gunzipSync(await readFile(archive)).toString();
            await again();
            await again();
            await writeFiles(siteDir, { "b.md": "# B\n\nAnother text of B." });
            const archivePath = join(siteDir, "..", "changed.tar.gz");
            await again({ archivePath });
            assert.match(await textOf(archivePath), /Source: https:\/\/docs.example.com\/b\n\nAnother text of B\./);
        });
    });

    it("is left out of sites that are too large for a model to read at once", async () => {
        const large = { "b.md": "x ".repeat(700_000) };
        await withExport({ ...files, ...large }, async (site) => {
            assert.match(await site.read("llms-full.txt"), /x x/);
        });
        await withExport({ ...files, ...large, "a.md": "x ".repeat(700_000) }, async (site) => {
            await assert.rejects(site.read("llms-full.txt"), /ENOENT/);
        });
    });

    it("counts the description of an operation, not the document around it", async () => {
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
            await assert.rejects(site.read("llms-full.txt"), /ENOENT/);
        });
    });
});

describe("the Markdown of a page", () => {
    const copyOf = async (body: string) => {
        let copy = "";
        await withExport({ "a.mdx": `# A\n\n${body}` }, async (site) => {
            copy = (await site.read("a.md")).replace("# A\n\n", "");
        });
        return copy;
    };

    it("has content for agents, and not content for people", async () => {
        const body =
            '<Visibility for="humans">\n\n  Click.\n\n</Visibility>\n\n<Visibility for="agents">\n  Call.\n</Visibility>\n\nIn <Visibility for="humans">the page</Visibility><Visibility for={"agents"}>the copy</Visibility>.';
        assert.equal(await copyOf(body), "Call.\n\nIn the copy.\n");
    });

    it("keeps code about the component", async () => {
        const body = 'Use `<Visibility for="humans">`.\n\n```mdx\n<Visibility for="humans">\nx\n</Visibility>\n```';
        assert.equal(await copyOf(body), `${body}\n`);
    });

    it("ends code as CommonMark does: at as many marks of the same kind or more, alone on their line", async () => {
        const hidden = '<Visibility for="humans">x</Visibility>';
        for (const code of [
            `\`\`\`\`mdx\n\`\`\`\n${hidden}\n\`\`\`\`\``,
            `~~~ \`\`\`\n\`\`\`\n${hidden}\n~~~`,
            `- \`\`\`\n  \`\`\`js\n  ${hidden}\n  \`\`\``,
            `1. \`\`\`\n   ${hidden}\n   \`\`\`  `,
        ]) {
            assert.equal(await copyOf(`${code}\n\n${hidden}\n\nText`), `${code}\n\n\nText\n`);
        }
        assert.equal(await copyOf(`\`\`\` is a fence \`\`\`\n\n${hidden}\n\nText`), "``` is a fence ```\n\n\nText\n");
    });

    it("is unchanged if the tags do not pair", async () => {
        const body = '<Visibility for="humans">\n\nText';
        assert.equal(await copyOf(body), `${body}\n`);
    });

    it("ends with the site's instructions for agents, with which its lists begin", async () => {
        const settings = { description: "Of all things", markdown: { instructions: ["Cite.", "Be brief."] } };
        await withExport({ ...files, "docs.json": config(settings) }, async (site) => {
            const asked = "> ## Agent Instructions\n> Cite.\n> Be brief.\n";
            assert.equal(await site.read("b.md"), `# B\n\nText of B.\n\n${asked}`);
            assert.ok((await site.read("llms.txt")).startsWith(`# Docs\n\n> Of all things\n\n${asked}\n## Pages\n`));
            assert.ok((await site.read("llms-full.txt")).startsWith(`# Docs\n\n${asked}\n# A\n`));
        });
    });
});
