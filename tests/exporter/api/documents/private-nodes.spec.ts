import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
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

const secret = (field: object) => ({ Secret: { type: "object", properties: { inner: field }, ...mint } });
const toField = { $ref: "#/components/schemas/Secret/properties/inner" };
const toSecret = { $ref: "#/components/schemas/Secret" };
const onlySecret = { Secret: { ...zebraField, ...mint } };

/** All private content contains the word "zebra" or the number 77123; each public page says "shown". */
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
        ...Object.fromEntries(entries.map(([name, content]) => [`api/${name}.json`, JSON.stringify(content)])),
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
                        leaks.push(...(texts.some((each) => /zebra|77123/i.test(each)) ? [what] : []));
                    }
                    assert.deepEqual(leaks, []);
                    for (const file of (await listFiles(outDir)).filter((each) => !access.includes(`"${each}"`))) {
                        assert.doesNotMatch(await readFile(join(outDir, file), "utf8"), /zebra|77123/i, file);
                    }
                },
                { privatePages },
            );
        });
    }
});
