import assert from "node:assert/strict";
import { petsDocument, petsSite } from "../../support/pets-site.js";
import { warningsOf, withExport } from "../../support/site-fixture.js";

describe("operation pages in the navigation", () => {
    it("are created for every operation if the navigation names only the document", async () => {
        const files = petsSite({
            tabs: [
                { tab: "Guides", pages: ["index"] },
                { tab: "API", openapi: "openapi.json" },
            ],
        });
        await withExport(files, async ({ read, warnings, pageCount }) => {
            assert.equal(pageCount, 4);
            assert.deepEqual(warnings, []);
            const html = await read("api-reference/pets/get-a-pet.html");
            const sidebar = /<nav class="sidebar"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? "";
            assert.match(
                sidebar,
                /Pets[\s\S]*<a href="create-a-pet.html"><span class="method post">POST<\/span><s>Create a pet<\/s>/,
            );
            assert.match(
                sidebar,
                /Other[\s\S]*<a href="..\/other\/listpets.html"><span class="method get">GET<\/span>listPets/,
            );
        });
    });

    it("follow the pages of a section that names the document and a folder, but no operations", async () => {
        const openapi = { source: "openapi.json", directory: "reference" };
        for (const [pages, made] of [
            [["index"], ["Create a pet", "Get a pet", "listPets"]],
            [["index", "GET /pets"], ["listPets"]],
        ] as const) {
            const files = petsSite({ tabs: [{ tab: "API", openapi, groups: [{ group: "Start", pages }] }] });
            await withExport(files, async (exported) => {
                const operations = (await exported.files()).filter((file) => /^reference\/.*\.html$/.test(file));
                const titles = await Promise.all(
                    operations.map(async (file) => /<h1[^>]*>([^<]*)/.exec(await exported.read(file))?.[1]),
                );
                assert.deepEqual(titles.sort(), made);
            });
        }
    });

    it("are missed in a warning if the navigation names a document, but none of its operations", async () => {
        const reason =
            "no page shows an operation of openapi.json: " +
            'add operations such as "GET /pets" to pages, or name the document on a group without pages';
        for (const [pages, files, expected] of [
            [["index"], {}, [`docs.json:1: ${reason}`]],
            [["index", "GET /pets"], {}, []],
            [["index", "own"], { "own.md": "---\nopenapi: GET /pets\n---\n" }, []],
        ] as const) {
            const navigation = { tabs: [{ tab: "API", openapi: "openapi.json", groups: [{ group: "Start", pages }] }] };
            assert.deepEqual(await warningsOf({ ...petsSite(navigation), ...files }), expected);
        }
    });

    it("are grouped under the names of the document's tags", async () => {
        const operation = (tag: string) => ({
            get: { tags: tag === "" ? [] : [tag], summary: `S ${tag}`, responses: {} },
        });
        const tags = [
            { name: "pets", "x-displayName": "All pets" },
            { name: "food", "x-displayName": "Food", "x-group": "What they eat" },
        ];
        const paths = {
            "/a": operation("pets"),
            "/b": operation("food"),
            "/c": operation("toys"),
            "/d": operation(""),
        };
        const files = {
            "index.md": "# Home",
            "api.json": JSON.stringify({ openapi: "3.1.0", info: {}, tags, paths }),
            "docs.json": JSON.stringify({ navigation: { tabs: [{ tab: "Reference", openapi: "api.json" }] } }),
        };
        await withExport(files, async ({ read }) => {
            const html = await read("api-reference/pets/s-pets.html");
            const groups = [...html.matchAll(/<p class="group-title">([^<]*)/g)].map(([, title]) => title);
            assert.deepEqual(groups, ["All pets", "What they eat", "toys", "API Reference"]);
        });
    });

    it("cannot be created for keys that are not methods, which are reported", async () => {
        const get = { responses: {} };
        const paths = { "/pets": { get, GET: get, list: get, "x-own": get, summary: "Pets", parameters: [] } };
        const files = {
            "api.json": JSON.stringify({ openapi: "3.1.0", paths }),
            "docs.json": JSON.stringify({ navigation: { groups: [{ group: "API", openapi: "api.json" }] } }),
        };
        await withExport(files, async (site) => {
            assert.ok((await site.files()).includes("api-reference/get-pets.html"));
            assert.deepEqual(
                site.warnings.map(({ file, reason }) => `${file}: ${reason}`),
                ["GET", "list"].map(
                    (key) => `api.json: ${key} of /pets is left out: methods have the names get, post, … in lower case`,
                ),
            );
        });
    });

    it("are created for single endpoints, in the folder that the navigation names", async () => {
        const openapi = { source: "openapi.json", directory: "ref" };
        const files = petsSite({ groups: [{ group: "API", openapi, pages: ["index", "GET /pets/{id}"] }] });
        await withExport(files, async ({ read, warnings }) => {
            assert.match(await read("ref/pets/get-a-pet.html"), /<h1[^>]*>Get a pet<\/h1>/);
            assert.deepEqual(warnings, []);
        });
    });

    it("can be created from a document that begins with a byte order mark", async () => {
        const files = petsSite({ pages: ["index", "GET /pets"] });
        await withExport({ ...files, "openapi.json": `\uFEFF${files["openapi.json"]}` }, async ({ read, warnings }) => {
            assert.match(await read("api-reference/other/listpets.html"), /<h1[^>]*>listPets<\/h1>/);
            assert.deepEqual(warnings, []);
        });
    });

    it("are exported but not listed if they are in hidden parts of the navigation", async () => {
        const files = {
            "index.md": "# Home",
            "api.json": JSON.stringify(petsDocument),
            "docs.json": JSON.stringify({
                navigation: {
                    tabs: [
                        {
                            tab: "Guides",
                            pages: ["index", { group: "Old", hidden: true, openapi: "api.json", pages: ["GET /pets"] }],
                        },
                        {
                            tab: "API",
                            hidden: true,
                            groups: [{ group: "Pets", openapi: "api.json", pages: ["POST /pets"] }],
                        },
                    ],
                },
            }),
        };
        await withExport(files, async ({ read, warnings }) => {
            const home = await read("index.html");
            for (const file of ["api-reference/other/listpets.html", "api-reference/pets/create-a-pet.html"]) {
                assert.match(await read(file), /<meta name="robots" content="noindex">/);
                assert.ok(!home.includes(file), file);
            }
            assert.doesNotMatch(home, /API|Old/);
            assert.deepEqual(warnings, []);
        });
    });

    it("use the address, content and metadata from x-mint", async () => {
        const mint = {
            href: "/guides/make-a-pet/",
            content: "<Note>Ten a minute, [see](/index).</Note>\n\nMore at [it](/gone).",
            metadata: {
                title: "Make a pet",
                sidebarTitle: "Make",
                description: "A `pet`.",
                tag: "NEW",
            },
        };
        const { post } = petsDocument.paths["/pets"];
        const paths = { "/pets": { post: { ...post, "x-mint": mint } } };
        const files = {
            "index.mdx": "[Make](/guides/make-a-pet)",
            "api.json": JSON.stringify({ ...petsDocument, paths }),
            "docs.json": JSON.stringify({
                navigation: { groups: [{ group: "API", openapi: "api.json", pages: ["index", "POST /pets"] }] },
            }),
        };
        await withExport(files, async ({ read, warnings }) => {
            const html = await read("guides/make-a-pet.html");
            assert.match(html, /<h1[^>]*>Make a pet<\/h1>\n<p class="lead">A <code>pet<\/code>\.<\/p>/);
            assert.match(
                html,
                /class="callout[^]*Ten a minute, <a href="\.\.\/index\.html">see<\/a>[^]*<h2 id="api-body">/,
            );
            assert.match(await read("index.html"), /<a href="guides\/make-a-pet\.html">Make<\/a>/);
            assert.match(await read("index.html"), /Make<\/s> <span[^>]*>NEW/);
            assert.deepEqual(
                warnings.map(({ kind, file, line, reason }) => [kind, file, line, reason.slice(0, 25)]),
                [["link", "api.json", undefined, "the link /gone leads to n"]],
            );
        });
    });

    it("report an x-mint address outside of the site, and do not replace an existing page at the address", async () => {
        const pathsWith = (href: string) => ({
            "/pets": { get: { summary: "List", responses: {}, "x-mint": { href } } },
        });
        const reason =
            "x-mint.href of GET /pets has no effect: it must be the address of a page within the site, such as /api/pets";
        for (const [href, file, expected] of [
            ["../../etc/passwd", "api-reference/list.html", [reason]],
            ["https://example.com/list", "api-reference/list.html", [reason]],
            ["/static-export/site", "api-reference/list.html", [reason]],
            ["/list", "list-2.html", []],
        ] as const) {
            const files = {
                "list.mdx": "---\ntitle: All pets\n---\nOurs",
                "api.json": JSON.stringify({ ...petsDocument, paths: pathsWith(href) }),
                "docs.json": JSON.stringify({ navigation: { groups: [{ group: "API", openapi: "api.json" }] } }),
            };
            await withExport(files, async (site) => {
                const pages = (await site.files()).filter((name) => name.endsWith(".html") && name !== "404.html");
                assert.ok(pages.includes(file), `${href}: ${pages.join(" ")}`);
                assert.match(await site.read("list.html"), /Ours/);
                assert.match(await site.read(file), /class="operation"/);
                assert.deepEqual(
                    site.warnings.map((warning) => warning.reason),
                    expected,
                );
            });
        }
    });
});
