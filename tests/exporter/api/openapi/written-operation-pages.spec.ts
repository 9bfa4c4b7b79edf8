import assert from "node:assert/strict";
import { type Files, withExport } from "../../support/site-fixture.js";

describe("a tab or group with a document and no other content", () => {
    const pets = JSON.stringify({
        openapi: "3.1.0",
        paths: { "/pets": { get: { tags: ["Pets"], summary: "List pets", responses: {} } } },
    });
    const start = { group: "Start", pages: ["index"] };

    for (const [what, settings] of [
        ["a tab of mint.json", { navigation: [start], tabs: [{ name: "API", url: "api", openapi: "pets.json" }] }],
        ["a group of mint.json", { navigation: [start, { group: "API", openapi: "pets.json", pages: [] }] }],
    ] as const) {
        it(`lists all operations: ${what}`, async () => {
            const site = { "mint.json": JSON.stringify(settings), "index.md": "# Home", "pets.json": pets };
            await withExport(site, async ({ read, pageCount, warnings }) => {
                assert.equal(pageCount, 2);
                assert.match(
                    await read("api-reference/pets/list-pets.html"),
                    /<nav class="sidebar"[^]*List pets[^]*<\/nav>/,
                );
                assert.deepEqual(warnings, []);
            });
        });
    }
});

/** The addresses of the pages that the navigation next to a page lists. */
async function listedOn(page: string, files: Files): Promise<string[]> {
    let found: string[] = [];
    await withExport(files, async ({ read, warnings }) => {
        assert.deepEqual(warnings, []);
        const sidebar = /<nav class="sidebar"[^]*?<\/nav>/.exec(await read(page))?.[0] ?? "";
        const links = [...sidebar.matchAll(/<a href="([^"#]*)"/g)].map(([, href = ""]) => href);
        // The first links are those of the tabs.
        found = [...new Set(links)].filter((href) => !href.endsWith("index.html"));
    });
    return found;
}

describe("the list of a document's operations", () => {
    const paths = {
        "/pets": { get: { summary: "List pets", responses: {} } },
        "/cups": { get: { summary: "List cups" } },
    };
    const written = "---\nopenapi: GET /pets\n---\nWritten.\n";
    const site = (navigation: object, pages: Files): Files => ({
        "docs.json": JSON.stringify({ navigation }),
        "index.md": "# Home",
        "pets.json": JSON.stringify({ openapi: "3.1.0", paths }),
        ...pages,
    });
    const tabs = [
        { tab: "Guides", pages: ["index"] },
        { tab: "API", openapi: "pets.json" },
    ];

    for (const file of ["api-reference/list-pets.mdx", "guides/pets.mdx"]) {
        it(`contains the written page of an operation instead of a generated one: ${file}`, async () => {
            const listed = await listedOn("api-reference/list-cups.html", site({ tabs }, { [file]: written }));
            const page = file.replace(".mdx", ".html");
            const href = page.startsWith("api-reference/") ? page.slice("api-reference/".length) : `../${page}`;
            assert.deepEqual(listed, [href, "list-cups.html"]);
        });
    }

    for (const [what, page] of [
        ["another subject", "# Another subject\n"],
        ["the operation of another document", "---\nopenapi: others.json GET /pets\n---\n"],
        ["the operation, but is hidden", "---\nopenapi: GET /pets\nhidden: true\n---\n"],
        ["the operation, but is a draft", "---\nopenapi: GET /pets\ndraft: true\n---\n"],
    ] as const) {
        it(`contains the generated page if a written page has ${what}`, async () => {
            const others = { "guides/pets.mdx": page, "others.json": JSON.stringify({ openapi: "3.1.0", paths }) };
            await withExport(site({ tabs }, others), async ({ files }) => {
                assert.ok((await files()).includes("api-reference/list-pets.html"));
            });
        });
    }

    it("does not repeat a page that the section lists", async () => {
        const openapi = { source: "pets.json", directory: "ref" };
        const groups = [{ group: "First", pages: ["guides/pets"] }];
        const files = site({ tabs: [{ tab: "API", openapi, groups }] }, { "guides/pets.mdx": written });
        assert.deepEqual(await listedOn("ref/list-cups.html", files), ["../guides/pets.html", "list-cups.html"]);
    });

    it("contains a written page once: in the list of its folder, or in the first list", async () => {
        const languages = ["en", "fr"].map((language) => ({
            language,
            tabs: [{ tab: "API", openapi: { source: "pets.json", directory: `${language}/api` } }],
        }));
        for (const [file, pages] of [
            ["en/api/pets.mdx", ["list-cups.html", "list-pets.html"]],
            ["pets.mdx", ["list-cups.html", "list-pets.html"]],
        ] as const) {
            const listed = await listedOn("fr/api/list-cups.html", site({ languages }, { [file]: written }));
            assert.deepEqual(listed.sort(), pages);
        }
    });

    it("contains the written page of a channel", async () => {
        const asyncapi = { asyncapi: "3.0.0", channels: { pets: { address: "pets" }, cups: { address: "cups" } } };
        const files = {
            "docs.json": JSON.stringify({ navigation: { tabs: [{ tab: "Events", asyncapi: "events.json" }] } }),
            "index.md": "# Home",
            "events.json": JSON.stringify(asyncapi),
            "guides/pets.mdx": "---\nasyncapi: events.json pets\n---\nWritten.\n",
        };
        assert.deepEqual(await listedOn("guides/pets.html", files), ["pets.html", "../api-reference/cups.html"]);
    });
});
