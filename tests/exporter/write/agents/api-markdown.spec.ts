import assert from "node:assert/strict";
import { type Files, withExport } from "../../support/site-fixture.js";

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answering = (schema: object) => ({
    responses: { "200": { description: "OK", content: { "application/json": { schema } } } },
});
const document = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "2", description: "A long introduction" },
    servers: [{ url: "https://api.example.com" }],
    security: [{ key: [] }],
    paths: {
        "/pets": {
            parameters: [{ name: "page", in: "query", schema: { type: "integer" } }],
            get: {
                summary: "List pets",
                description: "First.\n\nSecond with ```code```.",
                ...answering(reference("Pet")),
            },
            post: { summary: "Add a pet", ...answering(reference("Order")) },
        },
    },
    components: {
        securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" }, other: { type: "http" } },
        schemas: {
            Pet: {
                type: "object",
                properties: { owner: reference("Owner"), secret: { type: "string", "x-mint": { groups: ["admin"] } } },
            },
            Owner: { type: "object", properties: { pets: { type: "array", items: reference("Pet") } } },
            Order: { type: "object" },
        },
    },
};

const siteWith = (settings: object = {}, api: object = document): Files => ({
    "docs.json": JSON.stringify({
        name: "Docs",
        ...settings,
        navigation: { groups: [{ group: "API", pages: ["list", "api.json POST /pets", "pet"] }] },
    }),
    "api.json": JSON.stringify(api),
    "list.md": "---\nopenapi: api.json GET /pets\n---\n\nOwn text.\n",
    "pet.md": "---\nopenapi-schema: api.json Owner\n---\n",
});

/** Returns the text above the document's part, the line of its fence, and its content. */
function partsOf(markdown: string): [above: string, fence: string, document: unknown] {
    const [, above = "", ticks = "", name = "", text = ""] =
        /^([^]*)## OpenAPI\n\n(`{4,})(json .*)\n([^]*?\n)\2\n/.exec(markdown) ?? [];
    assert.notEqual(ticks, "", markdown);
    return [above, name, JSON.parse(text) as unknown];
}

describe("the Markdown of API pages", () => {
    it("contains the operation's part of the document, with everything that the part refers to", async () => {
        await withExport(siteWith(), async ({ read }) => {
            const [above, fence, part] = partsOf(await read("list.md"));
            assert.equal(above, "# List pets\n\nOwn text.\n\n");
            assert.equal(fence, "json api.json GET /pets");
            const { get, parameters } = document.paths["/pets"];
            assert.deepEqual(part, {
                openapi: "3.1.0",
                info: { title: "Pets", version: "2" },
                servers: document.servers,
                security: document.security,
                paths: { "/pets": { parameters, get } },
                components: {
                    securitySchemes: { key: document.components.securitySchemes.key },
                    schemas: {
                        Pet: { type: "object", properties: { owner: reference("Owner") } },
                        Owner: document.components.schemas.Owner,
                    },
                },
            });
        });
    });

    it("has descriptions without comments and scripts, whose links lead to addresses of the site", async () => {
        const written =
            'See [the *pet*](pet.md), user_id & <!-- c1 -->`<b>`. <b onclick="c2()">More</b> [x](javascript:c3).';
        const properties = { example: { description: written }, properties: { description: written } };
        const described = { description: written, example: { description: written }, "x-body": { properties } };
        const get = { ...document.paths["/pets"].get, ...described };
        const site = siteWith({}, { ...document, paths: { "/pets": { get, post: get } } });
        await withExport({ ...site, "list.md": "# List\n" }, async ({ read, files }) => {
            const file = (await files()).find((name) => /^api.*\.md$/.test(name)) ?? "";
            const [above, , part] = partsOf(await read(file));
            assert.match(above, /\n\n> See the pet, user\\_id \\& \\<b>\.\n\n$/);
            const { post } = (part as { paths: { "/pets": { post: typeof described } } }).paths["/pets"];
            const shown = "See [the *pet*](https://docs.example.com/pet), user_id & `<b>`. <b>More</b> [x](#).";
            assert.equal(post.description, shown);
            const { example, properties: nested } = post["x-body"].properties;
            assert.deepEqual([example.description, nested.description], [shown, shown], "properties of any names");
            assert.equal(post.example.description, written, "a value of the API");
            assert.match(await read("static-export/pages-1.json"), /"See the pet, user_id & <b>\."/);
            const page = await read(file.replace(/\.md$/, ".html"));
            assert.match(page, /<meta name="description" content="See the pet, user_id &amp; &lt;b&gt;\.">/);
        });
    });

    it("has addresses in its description as they are written", async () => {
        const get = { ...document.paths["/pets"].get, description: "See https://a.example/c_d?x=1&y=2 and user_id." };
        const site = siteWith({}, { ...document, paths: { "/pets": { get, post: get } } });
        await withExport(site, async ({ read, files }) => {
            const file = (await files()).find((name) => /^api.*\.md$/.test(name)) ?? "";
            assert.match(await read(file), /\n> See https:\/\/a\.example\/c_d\?x=1&y=2 and user\\_id\.\n/);
        });
    });

    it("contains the models that extend a parent with a discriminator, as the page shows them", async () => {
        const field = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } } });
        const schemas = {
            Pet: { ...field("kind"), discriminator: { propertyName: "kind" } },
            Cat: { allOf: [reference("Pet"), field("claws")] },
            Lion: { allOf: [reference("Cat"), field("mane")] },
            Order: field("number"),
            Bill: { allOf: [reference("Order"), field("sum")] },
        };
        await withExport(siteWith({}, { ...document, components: { schemas } }), async ({ read }) => {
            const [, , part] = partsOf(await read("list.md"));
            const { Pet, Cat, Lion } = schemas;
            assert.deepEqual((part as { components: unknown }).components, { schemas: { Pet, Cat, Lion } });
            const [, , other] = partsOf(await read("api-reference/add-a-pet.md"));
            assert.deepEqual((other as { components: unknown }).components, { schemas: { Order: schemas.Order } });
        });
    });

    it("exists for pages without a source file, and for models", async () => {
        await withExport(siteWith(), async ({ files, read }) => {
            const file = (await files()).find((name) => name.endsWith("add-a-pet.md")) ?? "";
            const [above, , part] = partsOf(await read(file));
            assert.equal(above, "# Add a pet\n\n");
            assert.deepEqual(Object.keys((part as typeof document).components.schemas), ["Order"]);
            const [, fence, model] = partsOf(await read("pet.md"));
            assert.equal(fence, "json api.json Owner");
            assert.deepEqual(Object.keys((model as typeof document).components.schemas), ["Owner", "Pet"]);
            const html = await read(file.replace(/\.md$/, ".html"));
            assert.match(html, /<link rel="alternate" type="text\/markdown" href="add-a-pet.md">/);
            assert.match(await read("llms.txt"), new RegExp(`\\(https://docs.example.com/${file}\\)`));
        });
    });

    it("contains the channel of an AsyncAPI document, with its operations", async () => {
        const channel = { address: "chat/{room}", messages: { said: { $ref: "#/components/messages/said" } } };
        const operationOn = (name: string) => ({ action: "send", channel: { $ref: `#/channels/${name}` } });
        const api = {
            asyncapi: "3.0.0",
            info: { title: "Chat", version: "1" },
            channels: { chat: channel, other: { address: "other" } },
            operations: { say: operationOn("chat"), shout: operationOn("other") },
            components: { messages: { said: { payload: { type: "string" } }, unsaid: {} } },
        };
        const files = { "chat.json": JSON.stringify(api), "chat.md": "---\nasyncapi: chat.json chat\n---\n" };
        await withExport(files, async ({ read }) => {
            const [, , text = ""] =
                /## AsyncAPI\n\n(`{4})json chat\.json chat\n([^]*?\n)\1\n/.exec(await read("chat.md")) ?? [];
            assert.deepEqual(JSON.parse(text) as unknown, {
                asyncapi: "3.0.0",
                info: api.info,
                channels: { chat: channel },
                operations: { say: operationOn("chat") },
                components: { messages: { said: api.components.messages.said } },
            });
        });
    });

    it("names the document instead of a part that is too long", async () => {
        const long = structuredClone(document);
        long.components.schemas.Owner.properties = {
            pets: { ...reference("Pet"), description: "x".repeat(200_000) },
        } as never;
        await withExport(siteWith({}, long), async ({ read }) => {
            assert.match(
                await read("list.md"),
                /## OpenAPI\n\nThe description is too long for this page\. It is in api\.json\.\n/,
            );
        });
    });

    it("cannot change other objects through the names of components", async () => {
        const hostile = structuredClone(document);
        hostile.paths["/pets"].get.responses = answering({
            example: "#/components/__proto__/polluted",
        }).responses;
        const text = JSON.stringify(hostile).replace(
            '"schemas":{',
            '"__proto__":{"polluted":{"type":"string"}},"schemas":{',
        );
        await withExport({ ...siteWith(), "api.json": text }, async ({ read }) => {
            const [, , part] = partsOf(await read("list.md"));
            assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
            const { components } = part as typeof document;
            assert.deepEqual(Object.getOwnPropertyDescriptor(components, "__proto__")?.value, {
                polluted: { type: "string" },
            });
        });
    });
});
