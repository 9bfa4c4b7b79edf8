import assert from "node:assert/strict";
import { failureOf, warningsOf, withExport } from "../../support/site-fixture.js";

const proposal = (builder: string, command: string, output: string) =>
    `these are settings of ${builder}, which renders the site with all of its features: ` +
    `static-export build FOLDER --command "${command}" --output-folder ${output}`;

describe("The settings of another builder", () => {
    it("propose its command if the folder has no pages", async () => {
        assert.equal(
            await failureOf({ "conf.py": "", "index.rst": "" }),
            `conf.py: ${proposal("Sphinx", "sphinx-build . _build/html", "_build/html")}`,
        );
    });

    it("propose its command in one warning if the folder is exported as plain Markdown", async () => {
        const files = { "book.toml": "", "src/index.md": "# A", "src/b.md": "# B" };
        assert.deepEqual(await warningsOf(files), [`book.toml: ${proposal("mdBook", "mdbook build", "book")}`]);
    });

    it("are not read, not even the hidden ones of VitePress", async () => {
        const files = { ".vitepress/config.ts": 'export default { title: "Not shown" };', "b.md": "# B" };
        const preset = proposal("VitePress", "npx vitepress build", ".vitepress/dist");
        await withExport(files, async ({ read, warnings }) => {
            assert.doesNotMatch(await read("b.html"), /Not shown/);
            assert.deepEqual(
                warnings.map(({ reason }) => reason),
                [preset],
            );
        });
    });

    it("propose nothing next to a docs.json, or in a folder below", async () => {
        const docs = JSON.stringify({ name: "A", navigation: { pages: ["a"] } });
        assert.deepEqual(await warningsOf({ "docs.json": docs, "book.toml": "", "a.md": "# A" }), []);
        assert.deepEqual(await warningsOf({ "examples/book.toml": "", "a.md": "# A" }), []);
    });
});
