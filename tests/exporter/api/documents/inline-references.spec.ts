import assert from "node:assert/strict";
import { parseDocument } from "../../../../exporter/src/api/documents/parse-document.js";
import { readDocumentFiles } from "../../../../exporter/src/api/documents/read-document-files.js";
import { type Files, warningsOf, withExport } from "../../support/site-fixture.js";

type Json = Readonly<Record<string, unknown>>;

const page = "api-reference/make.html";

/** A site with one operation, whose parts a case may replace. */
function siteOf(operation: unknown, others: Json = {}, files: Files = {}): Files {
    const document = { openapi: "3.1.0", paths: { "/a": { post: operation } }, ...others };
    return {
        "docs.json": JSON.stringify({ navigation: { groups: [{ group: "API", openapi: "api/api.json" }] } }),
        "api/api.json": JSON.stringify(document),
        ...files,
    };
}

/** The reference to a value in the document, and to the same value in a file. */
const references = (
    value: unknown,
): readonly (readonly [where: string, $ref: string, others: Json, files: Files])[] => [
    ["in the document", "#/x-parts/one", { "x-parts": { one: value } }, {}],
    ["in a file", "parts/one.json", {}, { "api/parts/one.json": JSON.stringify(value) }],
    ["in a part of a file", "parts/all.yaml#/one", {}, { "api/parts/all.yaml": JSON.stringify({ one: value }) }],
];

const schema = { type: "object", properties: { field: { type: "string", description: "Sought." } } };
const bodyOf = (body: unknown) => ({ requestBody: { content: { "application/json": { schema: body } } } });
const responseOf = (response: unknown) => ({ responses: { 200: response } });
const contentOf = (media: unknown) => responseOf({ description: "", content: { "application/json": media } });

/** Parts of an operation; the first value of a case is replaced by a reference to it. */
const places: Readonly<Record<string, readonly [value: unknown, put: (given: unknown) => Json]>> = {
    responses: [{ 200: { description: "Sought." } }, (responses) => ({ responses })],
    "a response": [{ description: "Sought." }, responseOf],
    "a request body": [{ description: "Sought.", content: {} }, (requestBody) => ({ requestBody })],
    content: [{ "application/json": { schema } }, (content) => ({ requestBody: { content } })],
    "a media type": [{ schema }, contentOf],
    headers: [
        { "X-Rate": { description: "Sought.", schema: {} } },
        (headers) => responseOf({ description: "", headers }),
    ],
    "a header": [
        { description: "Sought.", schema: {} },
        (header) => responseOf({ description: "", headers: { "X-Rate": header } }),
    ],
    "a list of parameters": [
        [{ name: "p", in: "query", description: "Sought.", schema: {} }],
        (parameters) => ({ parameters }),
    ],
    "a parameter": [
        { name: "p", in: "query", description: "Sought.", schema: {} },
        (parameter) => ({ parameters: [parameter] }),
    ],
    properties: [schema.properties, (properties) => bodyOf({ type: "object", properties })],
    "a property": [schema.properties.field, (field) => bodyOf({ properties: { field } })],
    "a list of parts": [[schema], (allOf) => bodyOf({ allOf })],
    "a list of required fields": [["Sought."], (required) => bodyOf({ oneOf: [{ properties: { a: {} }, required }] })],
    "a list of values": [["Sought."], (values) => bodyOf({ properties: { field: { type: "string", enum: values } } })],
    examples: [{ one: { value: "Sought." } }, (examples) => contentOf({ schema: {}, examples })],
    "an example": [{ value: "Sought." }, (one) => contentOf({ schema: {}, examples: { one } })],
    "the value of an example": [
        { text: "Sought." },
        (value) => contentOf({ schema: {}, examples: { one: { value } } }),
    ],
    "the example of a media type": [{ text: "Sought." }, (example) => contentOf({ schema: {}, example })],
    callbacks: [
        { done: { "{$url}": { post: { description: "Sought.", responses: {} } } } },
        (callbacks) => ({ callbacks }),
    ],
    "a text": ["Sought.", (description) => ({ description })],
};

async function assertShown(site: Files, text = "Sought."): Promise<void> {
    await withExport(site, async ({ read, warnings }) => {
        assert.deepEqual(warnings, []);
        assert.ok((await read(page)).includes(text), text);
    });
}

describe("A reference of an API document", () => {
    for (const [place, [value, put]] of Object.entries(places)) {
        it(`is followed in place of ${place}`, async () => {
            for (const [where, $ref, others, files] of references(value)) {
                await assertShown(siteOf({ summary: "Make", ...put({ $ref }) }, others, files)).catch((error) => {
                    throw new Error(`${where}: ${String(error)}`);
                });
            }
        });
    }

    it("is followed in place of an operation, whose page has its summary, parameters and responses", async () => {
        const operation = { summary: "Make", ...responseOf({ description: "Sought." }) };
        for (const [, $ref, others, files] of references(operation)) {
            await assertShown(siteOf({ $ref }, others, files));
        }
    });

    it("is followed to a text in Markdown", async () => {
        const files = { "api/texts/make.md": "Sought: **it**.\n\nAnd more.\n" };
        await assertShown(
            siteOf({ summary: "Make", description: { $ref: "texts/make.md" } }, {}, files),
            "<strong>it</strong>",
        );
    });

    it("keeps the texts next to it, which take precedence", async () => {
        const responses = { 200: { $ref: "#/components/responses/Done", description: "Sought." } };
        const components = { responses: { Done: { description: "Done." } } };
        await assertShown(siteOf({ summary: "Make", responses }, { components }));
    });

    it("may lead to a part around it: the callback of a callback is its own path", async () => {
        const callbacks = { done: { "{$url}": { $ref: "#/paths/~1a" } } };
        await assertShown(siteOf({ summary: "Make", description: "Sought.", responses: {}, callbacks }));
    });

    for (const $ref of ["#", "#/components", "#/components/schemas", "api.json"]) {
        it(`may lead to all models, also from one of them: ${$ref}`, async () => {
            const models = { schemas: { All: { $ref }, Each: { properties: { sought: {}, all: { $ref } } } } };
            const operation = bodyOf({ allOf: [{ $ref: "#/components/schemas/Each" }, { $ref }], items: { $ref } });
            await withExport(siteOf({ summary: "Make", ...operation }, { components: models }), async ({ read }) => {
                assert.match(await read(page), /<code>sought<\/code>/);
            });
        });
    }

    it("may lead to a part elsewhere that contains all models", async () => {
        const models = { schemas: { Each: { properties: { sought: {} } } } };
        const body = bodyOf({ allOf: [{ $ref: "#/components/schemas/Each" }], not: { $ref: "#/x-parts" } });
        const others = { components: models, "x-parts": { headers: { $ref: "#/components" } } };
        await withExport(siteOf({ summary: "Make", ...body }, others), async ({ read }) => {
            assert.match(await read(page), /<code>sought<\/code>/);
        });
    });

    it("causes a warning without a target, wherever it is", async () => {
        for (const [, put] of Object.values(places)) {
            const warnings = await warningsOf(siteOf({ summary: "Make", ...put({ $ref: "none.json" }) }));
            const isData =
                put === places["the value of an example"]?.[1] || put === places["the example of a media type"]?.[1];
            assert.deepEqual(
                warnings.filter((each) => each.includes("none.json")).length,
                isData ? 0 : 1,
                `${String(put)}\n${warnings.join("\n")}`,
            );
        }
        const warnings = await warningsOf(siteOf({ $ref: "none.json" }));
        assert.match(warnings.join("\n"), /the reference none\.json has no target/);
    });
});

describe("A schema in a file of an API document", () => {
    const read = (files: Files) => {
        const found = parseDocument("api.json", (file) => files[file], true);
        return (found?.root["components"] as Record<string, Json> | undefined)?.["schemas"];
    };
    const fileOf = (schemas: Json, components: Json = {}) =>
        JSON.stringify({ openapi: "3.1.0", paths: {}, components, "x-schemas": { properties: schemas } });

    it("is a model, with the name of its file or the name in its file", () => {
        const cup = { type: "object" };
        const models = read({
            "api.json": fileOf({ a: { $ref: "cup.json" }, b: { $ref: "all.json#/Pot" } }),
            "cup.json": JSON.stringify(cup),
            "all.json": JSON.stringify({ Pot: { type: "string" } }),
        });
        assert.deepEqual(models, { cup, Pot: { type: "string" } });
    });

    it("may have a name that objects of JavaScript have", () => {
        const models = read({
            "api.json": fileOf({ a: { $ref: "__proto__.json" }, b: { $ref: "all.json#/constructor" } }),
            "__proto__.json": JSON.stringify({ type: "object" }),
            "all.json": JSON.stringify({ constructor: { type: "string" } }),
        });
        assert.deepEqual(Object.entries(models ?? {}), [
            ["__proto__", { type: "object" }],
            ["constructor", { type: "string" }],
        ]);
        assert.equal(Object.getPrototypeOf(models), Object.prototype);
    });

    it("has the name that the document's components give it", () => {
        const models = read({
            "api.json": fileOf({ a: { $ref: "cup.json" } }, { schemas: { Cup: { $ref: "cup.json" } } }),
            "cup.json": JSON.stringify({ type: "object", properties: { cup: { $ref: "cup.json" } } }),
        });
        assert.deepEqual(models, {
            Cup: { type: "object", properties: { cup: { $ref: "#/components/schemas/Cup" } } },
        });
    });

    it("is not taken for another one of the same name that is around it", async () => {
        const files = {
            "api/one/part.json": JSON.stringify({ properties: { inner: { $ref: "../two/part.json" } } }),
            "api/two/part.json": JSON.stringify(schema),
        };
        await assertShown(siteOf({ summary: "Make", ...bodyOf({ $ref: "one/part.json" }) }, {}, files));
    });

    it("is a variant that its discriminator's mapping names by the file", async () => {
        const pet = {
            oneOf: [{ $ref: "cat.json" }],
            discriminator: { propertyName: "kind", mapping: { c: "cat.json" } },
        };
        const cat = { type: "object", properties: { kind: { type: "string" } } };
        const site = siteOf({ summary: "Make", ...bodyOf(pet) }, {}, { "api/cat.json": JSON.stringify(cat) });
        await assertShown(site, "Distinguished by kind: c: cat");
    });
});

describe("The files of an API document", () => {
    const documentOf = (count: number, length: number) => {
        const names = Array.from({ length: count }, (_, at) => `f${at}.json`);
        const properties = Object.fromEntries(names.map((name) => [name, { $ref: name }]));
        const root = JSON.stringify({ openapi: "3.1.0", paths: { "/a": { get: bodyOf({ properties }) } } });
        const text = JSON.stringify({ type: "string" }).padEnd(length);
        const reasons: string[] = [];
        const read = readDocumentFiles(
            "api.json",
            (name) => (name === "api.json" ? root : names.includes(name) ? text : undefined),
            false,
            ({ reason }) => reasons.push(reason),
        );
        return { files: read?.texts.size, reasons };
    };

    it("may be thousands", () => {
        assert.deepEqual(documentOf(3000, 20), { files: 3001, reasons: [] });
    });

    it("are read up to a number of characters, and reported once beyond it", () => {
        const { files, reasons } = documentOf(30, 1_000_000);
        assert.equal(files, 20);
        const cuts = reasons.filter((each) => !each.includes("has no target"));
        assert.equal(cuts.length, 1);
        assert.match(cuts[0] ?? "", /more than 20000000 characters together/);
        assert.equal(reasons.length, 1 + 11);
    });
});
