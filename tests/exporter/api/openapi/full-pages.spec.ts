import assert from "node:assert/strict";
import { plainTextOfHtml } from "../../../../exporter/src/text/html-text.js";
import { renderedOperation } from "../../support/rendered-operation.js";

type Json = Readonly<Record<string, unknown>>;

const content = (schema: Json) => ({ content: { "application/json": { schema } } });
const big = { $ref: "#/components/schemas/Big" };
const Big = {
    type: "object",
    properties: Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`big${at}`, { type: "string", description: "long ".repeat(20) }]),
    ),
};

/** The page of an operation that has room for about ten fields. */
function pageOf(
    node: Json,
    models: Json = { Big },
    hasPages = true,
): { html: string; text: string; warnings: string[] } {
    const warnings: string[] = [];
    const { html } = renderedOperation(node, models, {
        maxCharacters: 3000,
        modelHref: (model) => (hasPages ? `models/${model}.html` : undefined),
        warn: (reason) => warnings.push(reason),
    });
    return { html, text: plainTextOfHtml(html), warnings: [...new Set(warnings)] };
}

describe("The full page of an operation", () => {
    const store = { type: "object", properties: { store: { type: "boolean", description: "Stored.", enum: [true] } } };
    const parts = { allOf: [big, store] };
    for (const [kind, schema] of [
        ["parts of a body", { type: "object", properties: { first: big, second: parts } }],
        ["parts of items", { type: "object", properties: { first: big, second: { type: "array", items: parts } } }],
        ["fields within fields", { properties: { first: big, second: { properties: { third: store, fourth: big } } } }],
        ["parts of a variant", { properties: { first: big, second: { oneOf: [parts, { type: "null" }] } } }],
        ["fields next to a reference", { properties: { first: big, second: { ...big, ...store } } }],
        ["values of a map", { properties: { first: big, second: { additionalProperties: parts } } }],
    ] as const) {
        it(`shows the fields that have no other page, and links to the models that have one: ${kind}`, () => {
            const { html, text, warnings } = pageOf({ requestBody: content(schema), responses: {} });
            assert.match(text, /store\s*boolean[^]*Stored\./);
            assert.match(html, /Not shown here: <a href="models\/Big\.html">Big<\/a>/);
            assert.equal(warnings.length, 1);
            assert.match(warnings[0] ?? "", /link to the models' pages/);
        });
    }

    it("names what is missing: the model of the field, and not the one around it", () => {
        const Outer = { allOf: [big, { properties: { inner: { properties: { deep: { properties: { x: {} } } } } } }] };
        const schema = { properties: { first: big, second: { $ref: "#/components/schemas/Outer" } } };
        const { html } = pageOf({ requestBody: content(schema), responses: {} }, { Big, Outer });
        assert.match(html, /<code>second<\/code>[^]*Not shown here: <a href="models\/Outer\.html">Outer<\/a>/);
        const whole = pageOf(
            { requestBody: content({ $ref: "#/components/schemas/Outer" }), responses: {} },
            { Big, Outer },
        );
        assert.match(whole.text, /inner\s*object[^]*deep\s*object[^]*x\s*any/);
    });

    it("shows the request in its room, before the responses", () => {
        const Other = { properties: { other: { type: "string" } } };
        const response = { properties: { a: { $ref: "#/components/schemas/Other" }, b: { properties: { c: big } } } };
        const node = {
            requestBody: content({ properties: { deep: { properties: { deeper: big } } } }),
            responses: { 200: content(response) },
        };
        const { html } = pageOf(node, { Big, Other });
        const [request = "", responses = ""] = html.split('id="api-responses"');
        assert.match(request, /<code>big29<\/code>/);
        assert.doesNotMatch(request, /Not shown here/);
        assert.match(responses, /Not shown here: <a href="models\/Other\.html">[^]*<code>c<\/code>/);
    });

    it("causes a warning with the name of each model without a page, and says how to show it", () => {
        const { html, warnings } = pageOf(
            { requestBody: content({ properties: { first: big, second: big } }), responses: {} },
            { Big },
            false,
        );
        assert.match(html, /Not shown here: Big</);
        assert.deepEqual(warnings, [
            "some fields of Big are not on any page, because the pages that use it are full: add a page with openapi-schema: Big",
        ]);
    });
});

describe("A required field", () => {
    const schema = {
        required: ["id", "secret"],
        properties: { id: { type: "string", readOnly: true }, secret: { type: "string", writeOnly: true } },
    };

    it("is not required in a request if it is read-only, and in a response if it is write-only", () => {
        const node = { requestBody: content(schema), responses: { 200: content(schema) } };
        const labels = [
            ...pageOf(node).html.matchAll(/<p class="field-name"><code>(id|secret)<\/code>(.*?)<\/p>/g),
        ].map(([, name, rest = ""]) => `${name}${rest.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")}`.trim());
        assert.deepEqual(labels, [
            "id string read only",
            "secret string required write only",
            "id string required read only",
            "secret string write only",
        ]);
    });
});
