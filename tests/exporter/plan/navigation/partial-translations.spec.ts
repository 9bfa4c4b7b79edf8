import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

type Choices = readonly (readonly [name: string, pages: readonly string[]])[];

/** Returns a function that reads where the menu of a page leads, and the page's translations. */
async function withSite(
    kind: "language" | "version",
    choices: Choices,
    use: (at: (file: string) => Promise<Ways>) => Promise<void>,
) {
    const files = Object.fromEntries(choices.flatMap(([, pages]) => pages.map((page) => [`${page}.md`, `# ${page}`])));
    const navigation = { [`${kind}s`]: choices.map(([name, pages]) => ({ [kind]: name, pages })) };
    await withExport({ ...files, "docs.json": JSON.stringify({ name: "A", navigation }) }, async ({ read }) => {
        await use(async (file) => {
            const html = await read(file);
            const menu = /<details class="switcher">[\s\S]*?<\/details>/.exec(html)?.[0] ?? "";
            return {
                hrefs: [...menu.matchAll(/<a href="([^"]*)"/g)].map(([, href = ""]) => href),
                lacks: [...menu.matchAll(/class="choice-text">([^<]*)</g)].map(([, text = ""]) => text),
                alternates: [...html.matchAll(/hreflang="([^"]*)"/g)].map(([, language = ""]) => language),
            };
        });
    });
}

interface Ways {
    readonly hrefs: readonly string[];
    readonly lacks: readonly string[];
    readonly alternates: readonly string[];
}

describe("The menu of a partly translated site", () => {
    const english = ["index", "start/install", "start/first", "start"];

    it("leads to the same page if only one folder is translated", async () => {
        const translated = ["fr/start/first", "fr/start/install"];
        await withSite(
            "language",
            [
                ["en", english],
                ["fr", translated],
            ],
            async (at) => {
                const install = await at("start/install.html");
                assert.deepEqual(install.hrefs, ["install.html", "../fr/start/install.html"]);
                assert.deepEqual(install.alternates, ["en", "fr"]);
                assert.deepEqual(install.lacks, []);
                const back = await at("fr/start/first.html");
                assert.deepEqual(back.hrefs, ["../../start/first.html", "first.html"]);
                assert.deepEqual(back.alternates, ["en", "fr"]);
            },
        );
    });

    it("leads to the start of a language without the page, and says so in the page's language", async () => {
        const german = ["de/start/install", "de/start/only"];
        await withSite(
            "language",
            [
                ["en", english],
                ["de", german],
            ],
            async (at) => {
                const first = await at("start/first.html");
                assert.deepEqual(first.hrefs, ["first.html", "../de/start/install.html"]);
                assert.deepEqual(first.lacks, ["This page is missing. The link leads to the start page"]);
                assert.deepEqual(first.alternates, ["en"]);
                assert.deepEqual((await at("de/start/only.html")).lacks, [
                    "Diese Seite fehlt. Der Link führt zum Anfang",
                ]);
                assert.deepEqual((await at("index.html")).lacks, []);
            },
        );
    });

    it("leads to the same page if all languages have folders, and one has a single page or several folders", async () => {
        const choices: Choices = [
            ["en", ["en/a/one", "en/a/two", "en/b/three"]],
            ["ja", ["ja/a/two"]],
            ["ko", ["ko/b/three", "ko/a/one"]],
        ];
        await withSite("language", choices, async (at) => {
            assert.deepEqual((await at("en/a/two.html")).hrefs, [
                "two.html",
                "../../ja/a/two.html",
                "../../ko/b/three.html",
            ]);
            assert.deepEqual((await at("ko/a/one.html")).hrefs.slice(0, 1), ["../../en/a/one.html"]);
            assert.deepEqual((await at("en/b/three.html")).alternates, ["en", "ko"]);
        });
    });

    it("never leads from two pages to the same page", async () => {
        const choices: Choices = [
            ["en", ["index", "guide"]],
            ["it", ["it/guide/index", "it/guide/more"]],
        ];
        await withSite("language", choices, async (at) => {
            assert.deepEqual((await at("guide.html")).alternates, ["en", "it"]);
            assert.deepEqual((await at("index.html")).alternates, ["en"]);
        });
    });
});

describe("The menu of versions", () => {
    it("leads to the same page of a version with fewer folders", async () => {
        const choices: Choices = [
            ["2.0", ["index", "api/get", "api/set"]],
            ["1.0", ["1.0/api/set", "1.0/api/old"]],
        ];
        await withSite("version", choices, async (at) => {
            assert.deepEqual((await at("api/set.html")).hrefs, ["set.html", "../1.0/api/set.html"]);
            const get = await at("api/get.html");
            assert.deepEqual(get.hrefs, ["get.html", "../1.0/api/set.html"]);
            assert.deepEqual(get.lacks, ["This page is missing. The link leads to the start page"]);
        });
    });
});
