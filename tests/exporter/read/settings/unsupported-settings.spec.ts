import assert from "node:assert/strict";
import { warningsOf } from "../../support/site-fixture.js";

const reasonsOf = (settings: object) =>
    warningsOf({ "docs.json": JSON.stringify({ navigation: { pages: ["a"] }, ...settings }, null, 1), "a.md": "# A" });

describe("settings without an effect", () => {
    it("are reported with their lines if they are unknown or unsupported", async () => {
        const settings = {
            colours: {},
            seo: { trailingSlash: true, indexng: "all" },
            thumbnails: { appearance: "dark" },
            markdown: { schema: false },
        };
        assert.deepEqual(await reasonsOf(settings), [
            'docs.json:13: the setting "thumbnails.appearance" is not supported: previews of links show thumbnails.background unchanged',
            'docs.json:16: the setting "markdown.schema" is not supported: Markdown copies of API pages contain their part of the document',
            'docs.json:9: the setting "seo.trailingSlash" is not supported: addresses have no trailing slash',
            'docs.json:7: the setting "colours" is not known: did you mean "colors"?',
            'docs.json:10: the setting "seo.indexng" is not known: did you mean "seo.indexing"?',
        ]);
    });

    it("are not reported if they request standard behaviour", async () => {
        const settings = {
            $schema: "https://example.com/docs.json",
            theme: "mint",
            interaction: { drilldown: false },
            markdown: { schema: true },
            seo: { metatags: { "og:site_name": "A" } },
            integrations: { ga4: { measurementId: "G-1" } },
        };
        assert.deepEqual(await reasonsOf(settings), []);
    });
});
