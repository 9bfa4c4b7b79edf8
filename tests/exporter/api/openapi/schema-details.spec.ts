import assert from "node:assert/strict";
import { renderedOperation } from "../../support/rendered-operation.js";
import { withExport } from "../../support/site-fixture.js";

/** Returns the page of a model, and the body in the request's code. */
async function pageOf(schema: object, others: object = {}): Promise<{ html: string; body: unknown }> {
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } };
    const post = { summary: "A", requestBody: { content }, responses: {} };
    const document = {
        openapi: "3.1.0",
        paths: { "/a": { post } },
        components: { schemas: { Pet: schema, ...others } },
    };
    const site = {
        "docs.json": JSON.stringify({ navigation: { pages: ["openapi.json POST /a"] } }),
        "openapi.json": JSON.stringify(document),
    };
    let found = { html: "", body: undefined as unknown };
    await withExport(site, async ({ read }) => {
        const html = await read("api-reference/a.html");
        const code = html
            .replace(/<[^>]*>/g, "")
            .replaceAll("&#x27;", "'")
            .replaceAll("&quot;", '"');
        found = { html, body: JSON.parse(/--data '([^']*)'/.exec(code)?.[1] ?? "") };
    });
    return found;
}

const fields = (properties: object, others: object = {}) => pageOf({ type: "object", properties }, others);

describe("a schema", () => {
    it("shows more than a hundred values, and says how many it omits above a thousand", async () => {
        const values = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`);
        const { html } = await fields({ some: { enum: values(130) }, many: { enum: values(1002) } });
        assert.match(html, /<code>&quot;v129&quot;<\/code><\/p>/);
        assert.match(html, /v999&quot;<\/code>, and 2 more in the document/);
    });

    it("shows variants that only differ in what they require", async () => {
        const { html } = await pageOf({
            type: "object",
            properties: { x: { type: "string" }, y: { type: "string" } },
            oneOf: [{ required: ["x"] }, { required: ["x", "y"] }],
        });
        assert.match(html, /Option 1[^]*required: x<[^]*Option 2[^]*required: x, y</);
    });

    it("shows variants that only describe the items of a list", async () => {
        const lists = [{ type: "array", items: { description: "Text of the items" } }, { type: "null" }];
        const { html } = await fields({ a: { anyOf: lists } });
        assert.match(html, /Option 1[^]*Text of the items/);
    });

    it("shows the type of its values if it has no type", async () => {
        const { html } = await fields({ always: { const: "a" }, sizes: { enum: [1, "two", null, true] } });
        assert.match(html, /<code>always<\/code><span>string<\/span>/);
        assert.match(html, /<code>sizes<\/code><span>integer \| string \| null \| boolean<\/span>/);
    });

    it("shows a condition that only has a type", async () => {
        const Text = { type: "string" };
        const { html } = await fields(
            { a: { not: Text }, b: { not: { $ref: "#/components/schemas/Text" } } },
            { Text },
        );
        assert.match(html, /<code>a<\/code>[^]*Not[^]*string[^]*<code>b<\/code>[^]*Not[^]*string/);
    });

    it("is plain if its only part is plain, and not sent if this part is read-only", async () => {
        const { html, body } = await fields(
            {
                id: { allOf: [{ $ref: "#/components/schemas/Id" }] },
                code: { allOf: [{ type: "string" }], title: "Code" },
            },
            { Id: { type: "integer", readOnly: true } },
        );
        assert.match(html, /<code>id<\/code><span>integer<\/span><span>read only<\/span>/);
        assert.deepEqual(body, { code: "<string>".replace("<", "&lt;").replace(">", "&gt;") });
    });

    it("has a sample of each item of a tuple", async () => {
        const { body } = await fields({ at: { type: "array", prefixItems: [{ const: 1 }, { const: "b" }] } });
        assert.deepEqual(body, { at: [1, "b"] });
    });
});

describe("Two types of a body with one model", () => {
    const page = (texts: readonly string[]) => {
        const schema = (description: string) => ({ $ref: "#/components/schemas/Pet", description });
        const [first = "", second = ""] = texts;
        const content = {
            "application/json": { schema: schema(first) },
            "application/xml": { schema: schema(second) },
        };
        return renderedOperation({ requestBody: { content }, responses: {} }, { Pet: { type: "object" } }).html;
    };

    it("are shown together if they describe the model in the same words", () => {
        assert.match(page(["Same", "Same"]), /<code>application\/json<\/code> <code>application\/xml<\/code>/);
    });

    it("are shown separately if they describe the model in different words", () => {
        assert.match(page(["First", "Second"]), /application\/json<[^]*First[^]*application\/xml<[^]*Second/);
    });
});
