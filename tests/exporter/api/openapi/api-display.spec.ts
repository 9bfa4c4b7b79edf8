import assert from "node:assert/strict";
import { petsDocument, petsSite } from "../../support/pets-site.js";
import { warningsOf, withExport, type Files } from "../../support/site-fixture.js";

const model = (wanted: string) => `---\nopenapi-schema: ${wanted}\n---\n`;

describe("the page of a model", () => {
    const files = (page: string): Files => petsSite({ pages: ["index", "pet"] }, { "pet.md": page });

    it("is titled with the model's name and shows its fields", async () => {
        await withExport(files(model("Pet")), async ({ read, warnings }) => {
            const html = await read("pet.html");
            assert.match(html, /<h1[^>]*>Pet<\/h1>[\s\S]*<code>name<\/code><span>string<\/span><span>required<\/span>/);
            assert.deepEqual(warnings, []);
        });
    });

    it("can name the document, and causes a warning with the line if the model does not exist", async () => {
        await withExport(files(model("openapi.json NewPet")), async ({ read }) => {
            assert.match(await read("pet.html"), /<summary>Dog<\/summary>/);
        });
        assert.deepEqual(await warningsOf(files(model("toString"))), [
            'pet.md:2: no OpenAPI document of the site has the model "toString": add the document that contains it to the site, or correct the name',
        ]);
    });
});

describe("the pages of an API", () => {
    const document = {
        ...petsDocument,
        components: {
            ...petsDocument.components,
            schemas: {
                ...petsDocument.components.schemas,
                Pet: {
                    type: "object",
                    properties: {
                        chip: {
                            type: "string",
                            "x-mint": { pre: ["PII"], post: ["unique"] },
                        },
                        home: { type: "object", properties: { city: { type: "string" } } },
                    },
                },
            },
        },
    };
    const pageOf = async (api: object) => {
        let html = "";
        const settings = {
            api: { openapi: "openapi.json", ...api },
            navigation: { pages: ["index", "GET /pets/{id}"] },
        };
        const files = {
            "index.md": "# Home",
            "openapi.json": JSON.stringify(document),
            "docs.json": JSON.stringify({ name: "Docs", ...settings }),
        };
        await withExport(files, async (site) => {
            html = await site.read("api-reference/pets/get-a-pet.html");
            assert.deepEqual(site.warnings, []);
        });
        return html;
    };
    const samplesOf = (html: string) =>
        [...html.matchAll(/data-title="(cURL|JavaScript|Python|Go|PHP|Ruby|Java|C#)"/g)].map(([, name]) => name);

    it("show the fields' labels", async () => {
        assert.match(
            await pageOf({}),
            /<span>PII<\/span><code>chip<\/code><span>string<\/span><span>unique<\/span><\/p>/,
        );
    });

    it("open nested fields if configured", async () => {
        assert.match(await pageOf({}), /<details class="accordion"><summary>Fields</);
        assert.match(await pageOf({ params: { expanded: "all" } }), /<details class="accordion" open><summary>Fields</);
    });

    it("show the full address if configured", async () => {
        assert.match(await pageOf({}), /<code>\/pets\/\{id\}<\/code>/);
        assert.match(await pageOf({ url: "full" }), /<code>https:\/\/eu.example.com\/v1\/pets\/\{id\}<\/code>/);
    });

    it("show code in the configured languages and order, or no code", async () => {
        assert.deepEqual(samplesOf(await pageOf({ examples: { languages: ["python", "bash"] } })), ["Python", "cURL"]);
        assert.deepEqual(samplesOf(await pageOf({ examples: { languages: ["php", "rb", "java", "C#"] } })), [
            "PHP",
            "Ruby",
            "Java",
            "C#",
        ]);
        assert.deepEqual(samplesOf(await pageOf({ examples: { languages: ["cobol"] } })).length, 4);
        assert.deepEqual(samplesOf(await pageOf({ examples: { autogenerate: false } })), []);
    });
});

describe("the request code", () => {
    it("leaves out optional body fields if configured", async () => {
        const named = { type: "object", properties: { name: { type: "string" }, note: { type: "string" } } };
        const schema = {
            allOf: [named],
            required: ["name", "home"],
            properties: { home: { type: "object", properties: { city: {} } }, age: { type: "integer" } },
        };
        const post = { summary: "A", requestBody: { content: { "application/json": { schema } } }, responses: {} };
        const bodyOf = async (api: object) => {
            let body = "";
            const files = {
                "openapi.json": JSON.stringify({ openapi: "3.1.0", paths: { "/a": { post } } }),
                "docs.json": JSON.stringify({ api, navigation: { pages: ["openapi.json POST /a"] } }),
            };
            await withExport(files, async ({ read }) => {
                const html = (await read("api-reference/a.html")).replace(/<[^>]*>/g, "");
                body = /--data '([^']*)'/.exec(html.replaceAll("&#x27;", "'").replaceAll("&quot;", '"'))?.[1] ?? "";
            });
            return JSON.parse(body) as unknown;
        };
        assert.deepEqual(await bodyOf({ examples: { defaults: "required" } }), { name: "&lt;string&gt;", home: {} });
        assert.deepEqual(await bodyOf({}), {
            name: "&lt;string&gt;",
            note: "&lt;string&gt;",
            home: { city: {} },
            age: 123,
        });
    });
});

describe("the request and response bodies of an operation", () => {
    const operation = (content: object) => ({
        openapi: "3.1.0",
        paths: {
            "/tax": {
                post: {
                    summary: "Tax",
                    requestBody: { content },
                    responses: { 200: { description: "Done", content } },
                },
            },
        },
        components: { schemas: { Rate: { type: "object", properties: { rate: { type: "number" } } } } },
    });
    const htmlOf = async (content: object) => {
        let html = "";
        await withExport(
            {
                "openapi.json": JSON.stringify(operation(content)),
                "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["openapi.json POST /tax"] } }),
            },
            async ({ read, warnings }) => {
                html = await read("api-reference/tax.html");
                assert.deepEqual(warnings, []);
            },
        );
        return html;
    };

    it("show all their examples with their names", async () => {
        const examples = { us: { summary: "United States", value: { rate: 0.08 } }, gb: { value: { rate: 0.2 } } };
        const html = await htmlOf({ "application/json": { examples } });
        const titles = [...html.matchAll(/<div class="code-title">((?:200 )?(?:United States|gb))<\/div>/g)].map(
            ([, title]) => title,
        );
        assert.deepEqual(titles, ["200 United States", "200 gb", "United States", "gb"]);
    });

    it("show an example in the request code, and an example with the response", async () => {
        const html = await htmlOf({ "application/json": { example: { rate: 0.08 } } });
        assert.equal(html.match(/<div class="code-title">(?:Example|200)<\/div>/g)?.length, 1);
    });

    it("show each media type with its fields, and group media types that share a model", async () => {
        const schema = { $ref: "#/components/schemas/Rate" };
        const html = await htmlOf({
            "application/json": { schema },
            "application/xml": { schema },
            "text/csv": { schema: { type: "string" } },
        });
        assert.match(
            html,
            /<code>application\/json<\/code> <code>application\/xml<\/code><\/p>[\s\S]*<code>rate<\/code>[\s\S]*<code>text\/csv<\/code> <span>string<\/span>/,
        );
    });
});
