import assert from "node:assert/strict";
import { openSearch, withSearch } from "./search-reader.js";
import { withExport } from "../../support/site-fixture.js";

const page = (title: string, text: string) => `# ${title}\n\n${text}\n`;

const files = {
    "en/v2/start.md": page("Start", "Exporting bundles"),
    "en/v2/api.md": page("API", "Exporting bundles by request"),
    "en/v1/start.md": page("Old start", "Exporting bundles"),
    "de/start.md": page("Anfang", "Die Häuser werden exportiert"),
    "docs.json": JSON.stringify({
        name: "Docs",
        navigation: {
            languages: [
                {
                    language: "en",
                    versions: [
                        {
                            version: "v2",
                            tabs: [
                                { tab: "Guides", pages: ["en/v2/start"] },
                                { tab: "Reference", pages: ["en/v2/api"] },
                            ],
                        },
                        { version: "v1", tabs: [{ tab: "Guides", pages: ["en/v1/start"] }] },
                    ],
                },
                { language: "de", pages: ["de/start"] },
            ],
        },
    }),
};

describe("the search of a site with several versions and languages", () => {
    it("covers the version and language of the page that opened the search", async () => {
        await withExport(files, async ({ read }) => {
            const scopes: Record<string, string[]> = {};
            for (const file of ["en/v2/start.html", "en/v2/api.html", "en/v1/start.html", "de/start.html"]) {
                const scope = Number(/data-scope="(\d+)"/.exec(await read(file))?.[1]);
                scopes[file] = await (await openSearch(read, scope)).find("export");
            }
            assert.deepEqual(scopes, {
                "en/v2/start.html": ["en/v2/start.html", "en/v2/api.html"],
                "en/v2/api.html": ["en/v2/start.html", "en/v2/api.html"],
                "en/v1/start.html": ["en/v1/start.html"],
                "de/start.html": ["de/start.html"],
            });
        });
    });

    it("names the versions and languages, and can be limited to one tab", async () => {
        await withSearch(files, async ({ index, find }) => {
            const { names, tabs } = await index.open();
            assert.deepEqual(Array.from(names), ["English · v2", "English · v1", "Deutsch"]);
            assert.deepEqual(
                Array.from(tabs, ([, name]) => name),
                ["Guides", "Reference"],
            );
            assert.deepEqual(await find("bundle", "Reference"), ["en/v2/api.html"]);
            const { hits } = await index.find("request", { max: 1 });
            assert.equal(hits[0]?.tab, "Reference");
        });
    });

    it("finds inflected words in the language of the pages", async () => {
        await withSearch(
            files,
            async ({ find, loaded }) => {
                assert.deepEqual(await find("haus"), ["de/start.html"]);
                assert.deepEqual(await find("exportieren"), ["de/start.html"]);
                assert.ok(loaded.some((name) => name.startsWith("stemmer-german.")));
            },
            { scope: 2 },
        );
    });
});
