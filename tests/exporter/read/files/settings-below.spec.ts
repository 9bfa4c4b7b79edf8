import assert from "node:assert/strict";
import { warningsOf } from "../../support/site-fixture.js";

describe("settings in a subfolder", () => {
    it("are reported, because their folder may be the intended site", async () => {
        const settings = JSON.stringify({ name: "Docs", navigation: { pages: ["index"] } });
        assert.deepEqual(
            await warningsOf({ "README.md": "# Code", "docs/docs.json": settings, "docs/index.md": "# D" }),
            [
                "docs/docs.json: settings are read only in the site's own folder: if docs is the site, export " +
                    "that folder",
            ],
        );
        assert.deepEqual(await warningsOf({ "docs.json": settings, "index.md": "# D", "old/docs.json": settings }), []);
    });
});
