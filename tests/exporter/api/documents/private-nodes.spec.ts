import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { jsonOf } from "../../../../exporter/src/text/json-text.js";
import { type Files, listFiles, withExport } from "../../support/site-fixture.js";

const mint = { "x-mint": { groups: ["staff"] } };
const text = { type: "string" };
const shownField = { shown: text };
const zebraField = { type: "object", properties: { zebra: text } };

type Schemas = Readonly<Record<string, object>>;

/** A document with one public operation, and perhaps a private one. */
const document = (ofOperation: object, components: object = {}, paths: object = {}) => ({
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    paths: { "/things": { get: { summary: "List things", responses: {}, ...ofOperation } }, ...paths },
    components,
});

const answer = (schema: object, media: object = {}) => ({
    responses: { 200: { description: "Shown", content: { "application/json": { schema, ...media } } } },
});

const answering = (schema: object, schemas: Schemas, media: object = {}) =>
    document(answer(schema, media), { schemas });

const asking = (schema: object) => document({ parameters: [{ name: "shown", in: "query", schema }] });

const privatePath = { "/zebra": { get: { summary: "Zebra", responses: {}, ...mint } } };

const linkTo = (operationRef: string) => ({
    responses: { 200: { description: "Shown", links: { Zebra: { operationRef } } } },
});

const zebraAnswer = answer({ properties: { inner: zebraField } });

/** The field "inner" of an operation's answer. */
const toAnswerOf = (operation: string) => ({
    $ref: `#/paths/${operation}/responses/200/content/application~1json/schema/properties/inner`,
});

const secret = (field: object) => ({ Secret: { type: "object", properties: { inner: field }, ...mint } });
const toField = { $ref: "#/components/schemas/Secret/properties/inner" };
const toSecret = { $ref: "#/components/schemas/Secret" };
const onlySecret = { Secret: { ...zebraField, ...mint } };

/** All private content contains the word "zebra" or a number with 7712; each public page says "shown". */
const documents: Readonly<Record<string, object>> = {
    "a reference to a field of a private model": answering(
        { properties: { ...shownField, inner: toField } },
        secret(zebraField),
    ),
    "a reference through a file to a field of a private model": answering(
        { properties: { ...shownField, inner: { $ref: "parts.json#/Inner" } } },
        {},
    ),
    "a reference to a list in a private model": answering(
        { properties: { shown: { ...text, enum: { $ref: `${toField.$ref}/enum` } } } },
        secret({ ...text, enum: ["zebra"] }),
    ),
    "a mapping to a field of a private model": answering(
        {
            oneOf: [{ title: "Shown", properties: { kind: text } }, toField],
            discriminator: { propertyName: "kind", mapping: { zebra: toField.$ref } },
        },
        secret(zebraField),
    ),
    "a reference to a field whose reference leads to a private model": answering(
        { properties: { ...shownField, inner: { $ref: "#/components/schemas/Near/properties/inner" } } },
        { ...onlySecret, Near: { ...toSecret, properties: { inner: zebraField } } },
    ),
    "a link by pointer to a private operation": document(linkTo("#/paths/~1zebra/get"), {}, privatePath),
    "a link by file and pointer to an operation of a private path": document(
        linkTo("./api.json#/paths/~1zebra~1%7Bid%7D/get"),
        {},
        { "/zebra/{id}": { get: { responses: {} }, ...mint } },
    ),
    "a reference into a private operation": document(
        answer({ properties: { ...shownField, inner: toAnswerOf("~1zebra/get") } }),
        {},
        { "/zebra": { get: { ...zebraAnswer, ...mint } } },
    ),
    "a reference into an operation of a private path": document(
        answer({ properties: { ...shownField, inner: { $ref: "#/components/schemas/Near" } } }),
        { schemas: { Near: { allOf: [toAnswerOf("~1zebra/get")] } } },
        { "/zebra": { get: zebraAnswer, ...mint } },
    ),
    "a mapping to a schema in a private operation": document(
        answer({
            oneOf: [{ title: "Shown", properties: { kind: text } }],
            discriminator: { propertyName: "kind", mapping: { zebra: toAnswerOf("~1zebra/get").$ref } },
        }),
        {},
        { "/zebra": { get: { ...zebraAnswer, ...mint } } },
    ),
    "a misspelled key": answering(
        {
            properties: {
                ...shownField,
                zebra1: { ...text, "x-mint": { Groups: ["staff"] } },
                zebra2: { ...text, "x-mint": { group: "staff" } },
            },
        },
        {},
    ),
    "private numbers": asking({
        ...{ type: "integer", enum: [1, 77123], "x-mint-enum": { 77123: ["staff"] } },
        ...{ default: 77123, example: 77123 },
    }),
    "private numbers of more than 53 bits": asking({
        ...{ type: "integer", enum: [1, 9007199254771239n] },
        "x-mint-enum": { "9007199254771239": ["staff"] },
        default: 9007199254771239n,
    }),
    "the names and descriptions of private values": asking({
        ...{ type: "string", enum: ["a", "zebra", "shown"], "x-mint-enum": { zebra: ["staff"] } },
        ...{ "x-enum-varnames": ["A", "Zebra", "C"], "x-enumDescriptions": { zebra: "Zebra", shown: "Shown" } },
    }),
    "the fields of a private part in examples": answering(
        { allOf: [{ ...zebraField, ...mint }, { properties: { ...shownField, more: { required: ["zebra"] } } }] },
        {},
        { example: { zebra: 1, shown: 2 } },
    ),
    "the fields of a private variant in examples": answering(
        { oneOf: [toSecret, { properties: shownField }] },
        onlySecret,
        { examples: { one: { value: [{ zebra: 1, shown: 2 }] } } },
    ),
    "a mapping to the name of a private model": answering(
        {
            oneOf: [toSecret, { title: "Shown", properties: { kind: text } }],
            discriminator: { propertyName: "kind", mapping: { zebra: "Secret" } },
        },
        onlySecret,
    ),
    "a field that consists of a reference to a private model": answering(
        {
            properties: {
                ...shownField,
                zebra1: { description: "Zebra", allOf: [toSecret] },
                zebra2: { oneOf: [toSecret, { type: "null" }] },
            },
        },
        onlySecret,
    ),
    "a private security scheme": document(
        { ...answer({ properties: shownField }), security: [{ Zebra: [] }, { Shown: [] }] },
        {
            securitySchemes: {
                Zebra: { type: "apiKey", in: "header", name: "X-Zebra", ...mint },
                Shown: { type: "http", scheme: "basic" },
            },
        },
    ),
    "a callback with private operations only": document({
        ...answer({ properties: shownField }),
        callbacks: { onZebra: { "{$request.body#/zebra}": { post: { summary: "Zebra", responses: {}, ...mint } } } },
    }),
};

/** A site with a group of pages for each document. */
const site = (given: Readonly<Record<string, object>>): Files => {
    const entries = Object.entries(given).map(([, content], index) => [`d${index}`, content] as const);
    return {
        "docs.json": JSON.stringify({
            name: "Docs",
            navigation: {
                groups: [
                    { group: "Start", pages: ["index"] },
                    ...entries.map(([name]) => ({
                        group: name,
                        openapi: { source: `api/${name}.json`, directory: name },
                    })),
                ],
            },
        }),
        "index.md": "# Home",
        "api/parts.json": JSON.stringify({
            Inner: { $ref: "#/Secret/properties/inner" },
            Secret: { ...mint, properties: { inner: zebraField } },
        }),
        ...Object.fromEntries(entries.map(([name, content]) => [`api/${name}.json`, jsonOf(content)])),
    };
};

describe("the private parts of a document", () => {
    for (const privatePages of ["leave-out", "keep-apart"] as const) {
        it(`are on no public page, and in no search (${privatePages})`, async () => {
            await withExport(
                site(documents),
                async ({ outDir, read, files }) => {
                    const published = await files();
                    const access = published.includes("access.json") ? await read("access.json") : "";
                    const pages = Object.keys(documents).map((what, index) => [what, `d${index}/list-things`] as const);
                    const leaks: string[] = [];
                    for (const [what, page] of pages) {
                        assert.match(await read(`${page}.html`), /shown/i, what);
                        const texts = [await read(`${page}.html`), await read(`${page}.md`)];
                        leaks.push(...(texts.some((each) => /zebra|7712/i.test(each)) ? [what] : []));
                    }
                    assert.deepEqual(leaks, []);
                    for (const file of (await listFiles(outDir)).filter(
                        (each) => !`${access}"access.json"`.includes(`"${each}"`),
                    )) {
                        assert.doesNotMatch(await readFile(join(outDir, file), "utf8"), /zebra|7712/i, file);
                    }
                },
                { privatePages },
            );
        });
    }

    it("take nothing public with them", async () => {
        const fields = {
            shown1: { allOf: [toSecret], properties: { shown2: text } },
            shown3: { oneOf: [toSecret, { title: "Shown variant" }] },
            plan: { ...text, enum: ["7", "free"], "x-mint-enum": { 7: ["staff"] } },
            count: { type: "integer" },
            id: text,
        };
        const content = document(
            {
                ...answer({ type: "object", properties: fields }, { example: { id: "shown4", zebra: 1, count: 7 } }),
                security: [{ Zebra: [], Shown5: [] }],
                callbacks: { shown6: { "{$url}": { post: { responses: {} }, put: { responses: {}, ...mint } } } },
            },
            {
                schemas: { Secret: { properties: { zebra: text, id: text }, ...mint } },
                securitySchemes: {
                    Zebra: { type: "http", ...mint },
                    Shown5: { type: "apiKey", in: "header", name: "X-Shown5" },
                },
            },
        );
        await withExport(site({ "": content }), async ({ read }) => {
            const html = await read("d0/list-things.html");
            for (const shown of ["shown1", "shown2", "shown3", "Shown variant", "shown4", "X-Shown5", "shown6"]) {
                assert.ok(html.includes(shown), shown);
            }
            assert.match(html.replaceAll(/<[^>]*>/g, ""), /&quot;count&quot;: 7/);
            assert.doesNotMatch(html, /zebra/i);
        });
    });

    it("are on the page of a private operation that refers to its own parts", async () => {
        const schema = { properties: { inner: zebraField, other: toAnswerOf("~1zebra/get") } };
        const content = document({}, {}, { "/zebra": { get: { summary: "Zebra", ...answer(schema), ...mint } } });
        await withExport(
            site({ "": content }),
            async ({ read }) => {
                const page = await read("d0/zebra.md");
                assert.match(page, /inner/);
                assert.match(page, /other/);
            },
            { privatePages: "keep-apart" },
        );
    });

    const ofStaff = { summary: "Zebra", ...zebraAnswer };
    const ofPartners = (operation: string) => ({
        summary: "Partner",
        ...answer({ properties: { ...shownField, inner: toAnswerOf(operation) } }),
        "x-mint": { groups: ["partners"] },
    });
    for (const [what, paths] of [
        ["of another path", { "/a": { get: { ...ofStaff, ...mint } }, "/b": { get: ofPartners("~1a/get") } }],
        ["of the same path, whose readers it has", { "/a": { get: ofStaff, post: ofPartners("~1a/get"), ...mint } }],
    ] as const) {
        it(`are not on the page of a private operation for other readers that refers to one ${what}`, async () => {
            await withExport(
                site({ "": document({}, {}, paths) }),
                async ({ read }) => {
                    const page = await read("d0/partner.md");
                    assert.match(page, /shown/);
                    assert.doesNotMatch(page, /zebra|inner/i);
                },
                { privatePages: "keep-apart" },
            );
        });
    }
});
