import assert from "node:assert/strict";
import { createValueCache, IndexFolder, publicIndex } from "../../../../answer/src/site/index-folder.js";
import { withExport } from "../../support/site-fixture.js";
import { searchedLanguages } from "./fixtures/searched-languages.js";
import { openSearch } from "./search-reader.js";

const languages = searchedLanguages.map(({ language, pages }) => ({
    language,
    pages: Object.keys(pages).map((page) => `${language}/${page}`),
}));
const files = Object.fromEntries([
    ["docs.json", JSON.stringify({ navigation: { languages } })],
    ...searchedLanguages.flatMap(({ language, pages }) =>
        Object.entries(pages).map(([page, text]) => [`${language}/${page}.md`, `# ${text}\n`]),
    ),
]) as Record<string, string>;

/** Returns the first page for each query, with and without a browser. */
async function firstPages(): Promise<Record<"browser" | "server", Record<string, string>[]>> {
    const found = { browser: [] as Record<string, string>[], server: [] as Record<string, string>[] };
    await withExport(files, async ({ read }) => {
        const siteFiles = { read, readRules: () => Promise.resolve(undefined) };
        const server = new IndexFolder(siteFiles, publicIndex, createValueCache());
        for (const [scope, { queries }] of searchedLanguages.entries()) {
            const browser = await openSearch(read, scope);
            const ofBrowser: Record<string, string> = {};
            const ofServer: Record<string, string> = {};
            for (const query of Object.keys(queries)) {
                ofBrowser[query] = (await browser.find(query))[0] ?? "";
                ofServer[query] = (await server.find(scope, query, 10))[0]?.page ?? "";
            }
            found.browser.push(ofBrowser);
            found.server.push(ofServer);
        }
    });
    return found;
}

describe("the search", () => {
    const wanted = searchedLanguages.map(({ language, queries }) =>
        Object.fromEntries(Object.entries(queries).map(([query, page]) => [query, `${language}/${page}.html`])),
    );

    it("finds the same right page first in a browser and on the server, in twelve languages", async () => {
        const { browser, server } = await firstPages();
        assert.ok(wanted.flatMap(Object.keys).length >= 50);
        assert.deepEqual(browser, wanted);
        assert.deepEqual(server, wanted);
    });
});
