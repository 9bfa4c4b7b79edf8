import assert from "node:assert/strict";
import { withExport } from "../support/site-fixture.js";

const home = "# Home\n\nText.\n";

async function warningsOf(files: Readonly<Record<string, string>>): Promise<[string, string][]> {
    let found: [string, string][] = [];
    await withExport(files, ({ warnings }) => {
        found = warnings.map(({ kind, file }) => [kind, file]);
    });
    return found;
}

describe("A file in snippets/ of a site without settings", () => {
    it("is named by a warning if no file of the site uses it, because it does not become a page", async () => {
        const files = { "index.md": home, "snippets/install.md": "# Install\n\nText.\n" };
        await withExport(files, ({ pageCount, warnings }) => {
            assert.equal(pageCount, 1);
            assert.deepEqual(
                warnings.map(({ kind, file, reason }) => [kind, file, reason]),
                [
                    [
                        "navigation",
                        "snippets/install.md",
                        "files in snippets/ do not become pages, and no page imports this one: move it to another " +
                            "folder to publish it",
                    ],
                ],
            );
        });
    });

    it("is named even if a page has its name in a sentence", async () => {
        const files = { "index.md": `${home}\nSee install.md and "install".\n`, "snippets/install.md": "Text.\n" };
        assert.deepEqual(await warningsOf(files), [["navigation", "snippets/install.md"]]);
    });

    it("has no warning if a page imports it, or another snippet does", async () => {
        const files = {
            "index.mdx": 'import One from "/snippets/one.mdx"\n\n# Home\n\n<One />\n',
            "snippets/one.mdx": 'import Two from "./two.mdx"\n\n<Two />\n',
            "snippets/two.mdx": "Text of two.\n",
        };
        assert.deepEqual(await warningsOf(files), []);
    });

    it("has no warning if a page names it in <Snippet>", async () => {
        const files = { "index.mdx": '# Home\n\n<Snippet file="one.mdx" />\n', "snippets/one.mdx": "Text.\n" };
        assert.deepEqual(await warningsOf(files), []);
    });

    it("has no warning if it exports values, because pages do not", async () => {
        const files = { "index.md": home, "snippets/values.mdx": 'export const region = "north"\n\nText.\n' };
        assert.deepEqual(await warningsOf(files), []);
    });

    it("does not stop the export and has no warning if it is larger than a page may be", async () => {
        const files = { "index.md": home, "snippets/large.md": `${"word ".repeat(1_100_000)}\n` };
        assert.deepEqual(await warningsOf(files), []);
    });

    it("is a page without a warning if the contents list it", async () => {
        const files = {
            "README.md": home,
            "SUMMARY.md": "# Summary\n\n- [Home](README.md)\n- [Install](snippets/install.md)\n",
            "snippets/install.md": "# Install\n\nText.\n",
        };
        assert.deepEqual(await warningsOf(files), []);
    });
});

describe("A file in snippets/ of a site with settings", () => {
    it("has no warning, because the settings name every page", async () => {
        const files = { "index.md": home, "snippets/one.md": "Text.\n", "docs.json": '{"navigation":["index"]}' };
        assert.deepEqual(await warningsOf(files), []);
    });
});
