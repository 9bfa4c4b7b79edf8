import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { petsDocument, petsSite } from "../../support/pets-site.js";
import { warningsOf, withExport, type Files } from "../../support/site-fixture.js";

/** Returns a site whose navigation names a document with one operation. */
const siteWith = (operation: object): Files => ({
    "docs.json": JSON.stringify({ navigation: { tabs: [{ tab: "API", openapi: "openapi.json" }] } }),
    "openapi.json": JSON.stringify({ openapi: "3.0.0", paths: { "/a": { get: operation } } }),
});

describe("pages of an API", () => {
    it("find a document by a path relative to the page", async () => {
        const files = petsSite(
            { pages: ["index", "api/pets/a"] },
            {
                "api/pets/a.mdx": "---\nopenapi: ../other.json GET /pets/{id}\n---\n",
                "api/other.json": JSON.stringify(petsDocument),
            },
        );
        await withExport(files, async ({ read, warnings }) => {
            assert.match(await read("api/pets/a.html"), /<h1[^>]*>Get a pet<\/h1>/);
            assert.deepEqual(warnings, []);
        });
    });

    it("find operations in documents that no setting names, regardless of the file names", async () => {
        const files: Files = {
            "index.md": "---\nopenapi: GET /pets/{id}\n---\n",
            "data/numbers.json": "[1]",
            "reference/schema.json": JSON.stringify(petsDocument, null, 2),
            "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["index"] }, openapi: "first.yaml" }),
            "first.yaml": "openapi: 3.0.0\npaths: {}\n",
        };
        await withExport(files, async ({ read, warnings }) => {
            assert.match(await read("index.html"), /<h1[^>]*>Get a pet<\/h1>/);
            assert.deepEqual(warnings, []);
        });
    });

    it("prefer the document that the settings name, even if the site uses the older setting", async () => {
        const files: Files = {
            "index.md": "---\nopenapi: GET /pets/{id}\n---\n",
            "a/openapi.json": JSON.stringify(petsDocument),
            "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["index"] }, openapi: "named.yaml" }),
            "named.yaml": "openapi: 3.0.0\npaths: { '/pets/{id}': { get: { summary: Named } } }\n",
        };
        await withExport(files, async ({ read }) => assert.match(await read("index.html"), /<h1[^>]*>Named<\/h1>/));
    });

    it("show the method, address, authentication, parameters and responses", async () => {
        const files = petsSite(
            { pages: ["index", "a"] },
            { "a.mdx": "---\nopenapi: openapi.json GET /pets/{id}\n---\n\nMore.\n" },
        );
        await withExport(files, async ({ read }) => {
            const html = await read("a.html");
            assert.match(
                html,
                /<h1[^>]*>Get a pet<\/h1>[\s\S]*<span class="method get">GET<\/span> <code>\/pets\/\{id\}<\/code>/,
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
            const [, beside = "", below = ""] = /<div class="beside"([^]*?)<\/div>\n<div>([^]*)/.exec(html) ?? [];
            assert.match(beside, /curl[^]*<div class="code-title">200</);
            assert.match(below, /Query parameters[^]*Responses/);
        });
    });

    it("have unique ids and a single title, regardless of the headings in the document's text", async () => {
        const text = "# Examples\n\nText\n\n#### Deep\n";
        const field = { type: "string", description: text };
        const operation = {
            summary: "A",
            description: "# About\n\n# Examples\n",
            parameters: [{ name: "p", in: "query", description: text, schema: { type: "string" } }],
            responses: {
                200: {
                    description: "OK",
                    content: { "application/json": { schema: { type: "object", properties: { field } } } },
                },
            },
        };
        await withExport(siteWith(operation), async ({ read }) => {
            const html = await read("api-reference/a.html");
            const headings = [...html.matchAll(/<(h\d)(?: id="(.*?)")?>/g)].map(([, tag, id]) => `${tag} ${id ?? ""}`);
            assert.deepEqual(headings, [
                "h1 page-title",
                "h2 about",
                "h2 examples",
                "h2 api-query",
                "h3 examples-2",
                "h4 deep",
                "h2 api-responses",
                "h3 examples-3",
                "h4 deep-2",
            ]);
        });
    });

    it("are indexed for search without HTML entities", async () => {
        const site = siteWith({
            summary: "Say",
            parameters: [{ name: "word", in: "query", schema: { type: "string", enum: ["one"] } }],
            responses: {},
        });
        await withExport(site, async ({ outDir }) => {
            const folder = join(outDir, "static-export", "search");
            const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".js"));
            const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
            assert.ok(texts.length > 0);
            assert.doesNotMatch(texts.join("\n"), /&quot;|&amp;|&lt;/);
        });
    });

    it("show a title only once if the document does not name the operation", async () => {
        await withExport(siteWith({ responses: {} }), async ({ read }) => {
            assert.match(await read("api-reference/get-a.html"), /<h1[^>]* class="visually-hidden">GET \/a<\/h1>/);
        });
        await withExport(siteWith({ summary: "Say", responses: {} }), async ({ read }) => {
            assert.match(await read("api-reference/say.html"), /<h1[^>]*>Say<\/h1>/);
        });
    });

    it("show code in several languages, with the server's address", async () => {
        const files = petsSite({ pages: ["a"] }, { "a.mdx": "---\nopenapi: POST /pets\n---\n" });
        await withExport(files, async ({ read }) => {
            const html = (await read("a.html")).replace(/<span[^>]*>|<\/span>/g, "");
            assert.match(html, /curl --request POST --url '?(?:&#x27;|&#39;)?https:\/\/eu\.example\.com\/v1\/pets/);
            for (const label of ["cURL", "JavaScript", "Python", "Go"]) {
                assert.match(html, new RegExp(`<div class="code-title">${label}</div>`));
            }
        });
    });

    it("show the document's own code instead of generated code in the same language", async () => {
        const samples = [
            { lang: "curl", label: "cURL", source: "curl own" },
            { lang: "js", label: "Node", source: "own()" },
            { lang: "golang", label: "SDK", source: "own" },
        ];
        const operation = { summary: "A", responses: {}, "x-codeSamples": samples };
        await withExport(siteWith(operation), async ({ read }) => {
            const html = await read("api-reference/a.html");
            const titles = [...html.matchAll(/<div class="code-title">(.*?)<\/div>/g)].map(([, title]) => title);
            assert.deepEqual(titles, ["cURL", "Node", "SDK", "Python"]);
        });
    });

    it("are described by the first sentence, which does not end at an abbreviation", async () => {
        const description = "Takes an item (e.g. a book). Returns it.";
        await withExport(siteWith({ summary: "A", description, responses: {} }), async ({ read }) => {
            const html = await read("api-reference/a.html");
            assert.match(html, /<meta name="description" content="Takes an item \(e\.g\. a book\)\.">/);
            // The page begins with the whole description.
            assert.doesNotMatch(html, /class="lead"/);
            assert.match(html, /<p>Takes an item \(e\.g\. a book\)\. Returns it\.<\/p>/);
        });
    });

    it("are described by a description's text, also if it begins with HTML", async () => {
        for (const [description, shown] of [
            ["<p>Returns <b>the</b> pet.</p>", /content="Returns the pet\."/],
            ["<!-- x --> Returns pets.", /content="Returns pets\."/],
        ] as const) {
            await withExport(siteWith({ summary: "A", description, responses: {} }), async ({ read }) => {
                assert.match(await read("api-reference/a.html"), shown);
            });
        }
    });

    it("can be rendered even if nested models multiply exponentially", async () => {
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
        const content = { "application/json": { schema: { $ref: "#/components/schemas/M0" } } };
        const paths = { "/x": { post: { requestBody: { content } } } };
        const hostile = { openapi: "3.0.0", paths, components: { schemas } };
        const files = petsSite({ pages: ["index", "POST /x"] }, { "openapi.json": JSON.stringify(hostile) });
        await withExport(files, async ({ read }) => {
            assert.ok((await read("api-reference/post-x.html")).length < 2_000_000);
        });
    });

    it("cause a warning about a missing, remote or invalid document", async () => {
        const warnings = async (openapi: string, others: Files = {}) =>
            warningsOf(petsSite({ pages: ["index"], groups: [{ group: "API", openapi }] }, others));
        assert.match((await warnings("gone.json")).join("\n"), /the site has no OpenAPI document gone\.json/);
        assert.match(
            (await warnings("https://example.com/o.json")).join("\n"),
            /is not fetched: put a copy into the site/,
        );
        assert.match(
            (await warnings("bad.json", { "bad.json": "{" })).join("\n"),
            /this is not a valid OpenAPI document/,
        );
    });

    /** Returns the reasons of the warnings, each with all its places. */
    const reasonsOf = async (files: Files) => {
        const found: Record<string, string[]> = {};
        await withExport(files, ({ warnings }) => {
            for (const { reason, elsewhere, ...first } of warnings) {
                found[reason] = [first, ...(elsewhere?.places ?? [])].map(({ file, line }) => `${file}:${line}`);
            }
        });
        return found;
    };
    const url = "https://example.com/o.json";
    const notFetched = `the OpenAPI document ${url} is not fetched: put a copy into the site`;

    it("share one warning about a remote document, with its lines in the settings and on the pages", async () => {
        const navigation = { tabs: [{ tab: "API", openapi: url, pages: ["a", "b", "GET /c"] }] };
        const inSettings = await reasonsOf({
            "docs.json": `{\n"navigation": ${JSON.stringify(navigation, null, 1)}\n}`,
            "a.mdx": "---\ntitle: A\nopenapi: POST /none\n---\n",
            "b.mdx": "---\nopenapi: GET /b\n---\n",
        });
        assert.deepEqual(inSettings, { [notFetched]: ["docs.json:6", "docs.json:10", "a.mdx:3", "b.mdx:2"] });
        const onPages = await reasonsOf({
            "a.mdx": `---\nopenapi: ${url} GET /a\n---\n`,
            "b.mdx": `---\nopenapi: ${url} GET /b\n---\n`,
        });
        assert.deepEqual(onPages, { [notFetched]: ["a.mdx:2", "b.mdx:2"] });
    });

    it("share one warning if the document is missing, and cause separate warnings for missing operations", async () => {
        const pages = { "a.mdx": "---\nopenapi: GET /a\n---\n", "b.mdx": "---\nopenapi-schema: B\n---\n" };
        assert.deepEqual(await reasonsOf(pages), {
            "the site has no OpenAPI document: add one, or remove the references to it from the pages": [
                "a.mdx:2",
                "b.mdx:2",
            ],
        });
        const some = await reasonsOf({ ...pages, "o.json": JSON.stringify(petsDocument) });
        assert.deepEqual(Object.values(some), [["a.mdx:2"], ["b.mdx:2"]]);
    });
});
