import assert from "node:assert/strict";
import { warningsOf } from "../../support/site-fixture.js";

describe("settings in a subfolder", () => {
    it("are reported, because their folder may be the intended site", async () => {
        const settings = JSON.stringify({ name: "Docs", navigation: { pages: ["index"] } });
        assert.deepEqual(
            await warningsOf({ "README.md": "# Code", "docs/docs.json": settings, "docs/index.md": "# D" }),
            [
                "docs/docs.json: settings are read in the site's own folder only: if docs is the site, export that folder",
            ],
        );
        assert.deepEqual(await warningsOf({ "docs.json": settings, "index.md": "# D", "old/docs.json": settings }), []);
    });

    it("are reported with the folder of the pages if they belong to another builder", async () => {
        const reason = (folder: string) =>
            `settings are read in the site's own folder only: if ${folder} is the site, export that folder`;
        const files = {
            "README.md": "# Code",
            "site/astro.config.mjs": "export default {};",
            "site/src/content/docs/index.md": "# D",
        };
        assert.deepEqual(await warningsOf(files), [`site/astro.config.mjs: ${reason("site/src/content/docs")}`]);
        const others = {
            "README.md": "# Code",
            "guide/.vitepress/config.ts": "export default {};",
            "guide/index.md": "# D",
        };
        assert.deepEqual(await warningsOf(others), [`guide/.vitepress/config.ts: ${reason("guide")}`]);
        assert.deepEqual(await warningsOf({ "index.md": "# D", "src/vite.config.ts": "", "src/config.ts": "" }), []);
    });
});
