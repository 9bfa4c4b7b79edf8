import assert from "node:assert/strict";
import { warningsOf, withExport, type Files } from "./site-fixture.js";

const document = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://{region}.example.com/v1/", variables: { region: { default: "eu" } } }],
    security: [{ key: [] }],
    paths: {
        "/pets/{id}": {
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } }],
            get: {
                tags: ["Pets"],
                summary: "Get a pet",
                description: "Gives **one** pet.",
                parameters: [
                    { name: "full", in: "query", description: "With all", schema: { type: "boolean", default: false } },
                ],
                responses: {
                    200: {
                        description: "Found",
                        content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
                    },
                },
            },
        },
        "/pets": {
            post: {
                tags: ["Pets"],
                summary: "Create a pet",
                deprecated: true,
                requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/NewPet" } } } },
                responses: { 201: { description: "Made" } },
            },
            get: { tags: ["Other"], operationId: "listPets", responses: {} },
        },
    },
    components: {
        securitySchemes: { key: { type: "http", scheme: "bearer", description: "Your key" } },
        schemas: {
            Pet: {
                type: "object",
                required: ["name"],
                properties: {
                    name: { type: "string", description: "Its name", enum: ["Rex", "Tom"] },
                    parent: { $ref: "#/components/schemas/Pet" },
                    tags: { type: ["array", "null"], items: { type: "string" } },
                },
            },
            NewPet: {
                allOf: [{ $ref: "#/components/schemas/Pet" }],
                oneOf: [
                    { title: "Cat", properties: { indoor: { type: "boolean" } } },
                    { title: "Dog", properties: { size: { type: "integer" } } },
                ],
            },
        },
    },
};

const site = (navigation: unknown, others: Files = {}): Files => ({
    "index.md": "# Home",
    "openapi.json": JSON.stringify(document),
    "docs.json": JSON.stringify({ name: "Docs", navigation }),
    ...others,
});

describe("pages of an API", () => {
    it("are made for every operation where the navigation names only the document", async () => {
        const files = site({
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

    it("are made for single endpoints, in the folder that the navigation names", async () => {
        const openapi = { source: "openapi.json", directory: "ref" };
        const files = site({ groups: [{ group: "API", openapi, pages: ["index", "GET /pets/{id}"] }] });
        await withExport(files, async ({ read, warnings }) => {
            assert.match(await read("ref/pets/get-a-pet.html"), /<h1>Get a pet<\/h1>/);
            assert.deepEqual(warnings, []);
        });
    });

    it("stand where x-mint says, with its content and its metadata", async () => {
        const mint = {
            href: "/guides/make-a-pet/",
            content: "<Note>Ten a minute, [see](/index).</Note>\n\nMore at [it](/gone).",
            metadata: { title: "Make a pet", sidebarTitle: "Make", description: "A `pet`.", tag: "NEW" },
        };
        const { post } = document.paths["/pets"];
        const paths = { "/pets": { post: { ...post, "x-mint": mint } } };
        const files = {
            "index.mdx": "[Make](/guides/make-a-pet)",
            "api.json": JSON.stringify({ ...document, paths }),
            "docs.json": JSON.stringify({
                navigation: { groups: [{ group: "API", openapi: "api.json", pages: ["index", "POST /pets"] }] },
            }),
        };
        await withExport(files, async ({ read, warnings }) => {
            const html = await read("guides/make-a-pet.html");
            assert.match(html, /<h1>Make a pet<\/h1>\n<p class="lead">A <code>pet<\/code>\.<\/p>/);
            assert.match(
                html,
                /class="callout[^]*Ten a minute, <a href="\.\.\/index\.html">see<\/a>[^]*<h2 id="api-body">/,
            );
            assert.match(await read("index.html"), /<a href="guides\/make-a-pet\.html">Make<\/a>/);
            assert.match(await read("index.html"), /Make<\/s> <span[^>]*>NEW/);
            assert.deepEqual(warnings, [
                {
                    kind: "link",
                    file: "api.json",
                    line: undefined,
                    reason: "the link /gone leads to no page and no file of this site",
                },
            ]);
        });
    });

    it("stay where they are when x-mint names no address of the site, and lead to a page of that address", async () => {
        const pathsWith = (href: string) => ({
            "/pets": { get: { summary: "List", responses: {}, "x-mint": { href } } },
        });
        for (const [href, file] of [
            ["../../etc/passwd", "api-reference/list.html"],
            ["https://example.com/list", "api-reference/list.html"],
            ["/static-export/site", "api-reference/list.html"],
            ["/list", "list.html"],
        ] as const) {
            const files = {
                "list.mdx": "---\ntitle: All pets\nopenapi: GET /pets\n---\nOurs",
                "api.json": JSON.stringify({ ...document, paths: pathsWith(href) }),
                "docs.json": JSON.stringify({ navigation: { groups: [{ group: "API", openapi: "api.json" }] } }),
            };
            await withExport(files, async (site) => {
                const pages = (await site.files()).filter((name) => name.endsWith(".html") && name !== "404.html");
                assert.ok(pages.includes(file), `${href}: ${pages.join(" ")}`);
                assert.match(await site.read("list.html"), /Ours/);
                assert.deepEqual(site.warnings, []);
            });
        }
    });

    it("are found by a document that a page names from where it stands", async () => {
        const files = site(
            { pages: ["index", "api/pets/a"] },
            {
                "api/pets/a.mdx": "---\nopenapi: ../other.json GET /pets/{id}\n---\n",
                "api/other.json": JSON.stringify(document),
            },
        );
        await withExport(files, async ({ read, warnings }) => {
            assert.match(await read("api/pets/a.html"), /<h1>Get a pet<\/h1>/);
            assert.deepEqual(warnings, []);
        });
    });

    it("are found in documents that no setting names, whatever these are called", async () => {
        const files: Files = {
            "index.md": "---\nopenapi: GET /pets/{id}\n---\n",
            "data/numbers.json": "[1]",
            "reference/schema.json": JSON.stringify(document, null, 2),
            "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["index"] }, openapi: "first.yaml" }),
            "first.yaml": "openapi: 3.0.0\npaths: {}\n",
        };
        await withExport(files, async ({ read, warnings }) => {
            assert.match(await read("index.html"), /<h1>Get a pet<\/h1>/);
            assert.deepEqual(warnings, []);
        });
    });

    it("prefer the document that the settings name, in their old place, too", async () => {
        const files: Files = {
            "index.md": "---\nopenapi: GET /pets/{id}\n---\n",
            "a/openapi.json": JSON.stringify(document),
            "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["index"] }, openapi: "named.yaml" }),
            "named.yaml": "openapi: 3.0.0\npaths: { '/pets/{id}': { get: { summary: Named } } }\n",
        };
        await withExport(files, async ({ read }) => assert.match(await read("index.html"), /<h1>Named<\/h1>/));
    });

    it("show method, address, authentication, parameters and answers", async () => {
        const files = site(
            { pages: ["index", "a"] },
            { "a.mdx": "---\nopenapi: openapi.json GET /pets/{id}\n---\n\nMore.\n" },
        );
        await withExport(files, async ({ read }) => {
            const html = await read("a.html");
            assert.match(
                html,
                /<h1>Get a pet<\/h1>[\s\S]*<span class="method get">GET<\/span> <code>\/pets\/\{id\}<\/code>/,
            );
            assert.match(html, /Gives <strong>one<\/strong> pet\.[\s\S]*<p>More\.<\/p>/);
            assert.match(
                html,
                /<code>Authorization<\/code><span>string<\/span><span>header<\/span><span>http, bearer<\/span>/,
            );
            assert.match(
                html,
                /<h2 id="api-path">Path parameters[\s\S]*<code>id<\/code><span>string \(uuid\)<\/span><span>required/,
            );
            assert.match(
                html,
                /<code>full<\/code><span>boolean<\/span><span>default: false<\/span><\/p><p>With all<\/p>/,
            );
            assert.match(html, /<summary>200<\/summary>[\s\S]*One of <code>&quot;Rex&quot;<\/code>/);
            const toc = /<aside class="toc">[\s\S]*<\/aside>/.exec(html)?.[0] ?? "";
            assert.match(toc, /Query parameters[\s\S]*Responses/);
        });
    });

    it("show code in several languages, with the server's address", async () => {
        const files = site({ pages: ["a"] }, { "a.mdx": "---\nopenapi: POST /pets\n---\n" });
        await withExport(files, async ({ read }) => {
            const html = (await read("a.html")).replace(/<span[^>]*>|<\/span>/g, "");
            assert.match(html, /curl --request POST --url '?(?:&#x27;|&#39;)?https:\/\/eu\.example\.com\/v1\/pets/);
            for (const label of ["cURL", "JavaScript", "Python", "Go"]) {
                assert.match(html, new RegExp(`<div class="code-title">${label}</div>`));
            }
        });
    });

    it("name a model within itself instead of showing it without end, and show each of several choices", async () => {
        const files = site({ pages: ["a"] }, { "a.mdx": "---\nopenapi: POST /pets\n---\n" });
        await withExport(files, async ({ read }) => {
            const html = await read("a.html");
            assert.match(html, /<code>parent<\/code><span>Pet<\/span>[\s\S]*?Pet, as above/);
            assert.match(html, /<summary>Cat<\/summary>[\s\S]*<code>indoor<\/code>[\s\S]*<summary>Dog<\/summary>/);
            assert.match(html, /<span class="badge orange">deprecated<\/span>/);
        });
    });

    it("end although models multiply", async () => {
        const schemas = Object.fromEntries(
            Array.from({ length: 60 }, (_, n) => [
                `M${n}`,
                {
                    properties: {
                        a: { $ref: `#/components/schemas/M${n + 1}` },
                        b: { $ref: `#/components/schemas/M${n + 1}` },
                    },
                },
            ]),
        );
        const hostile = {
            openapi: "3.0.0",
            paths: {
                "/x": {
                    post: {
                        requestBody: {
                            content: { "application/json": { schema: { $ref: "#/components/schemas/M0" } } },
                        },
                    },
                },
            },
            components: { schemas },
        };
        const files = site({ pages: ["index", "POST /x"] }, { "openapi.json": JSON.stringify(hostile) });
        await withExport(files, async ({ read }) => {
            assert.ok((await read("api-reference/post-x.html")).length < 2_000_000);
        });
    });

    it("warn of a document that is not there, is elsewhere or is none", async () => {
        const warnings = async (openapi: string, others: Files = {}) =>
            warningsOf(site({ pages: ["index"], groups: [{ group: "API", openapi }] }, others));
        assert.match((await warnings("gone.json")).join("\n"), /the site has no OpenAPI document gone\.json/);
        assert.match(
            (await warnings("https://example.com/o.json")).join("\n"),
            /is not fetched: put a copy into the site/,
        );
        assert.match((await warnings("bad.json", { "bad.json": "{" })).join("\n"), /this is no OpenAPI document/);
    });

    it("say in which line of the settings a document stands that is not there, and of a page its operation", async () => {
        const navigation = { pages: ["a"], groups: [{ group: "API", openapi: "https://example.com/o.json" }] };
        await withExport(
            {
                "docs.json": `{\n"navigation": ${JSON.stringify(navigation, null, 1)}\n}`,
                "a.mdx": "---\ntitle: A\nopenapi: POST /none\n---\n",
            },
            ({ warnings }) => {
                const places = warnings.map(({ kind, file, line }) => `${kind} ${file}:${line}`);
                assert.deepEqual(places.sort(), ["openapi a.mdx:3", "openapi docs.json:9"]);
                return Promise.resolve();
            },
        );
    });
});
