import assert from "node:assert/strict";
import { type Files, warningsOf, withExport } from "../../support/site-fixture.js";

/** A site with the page of one operation. */
function siteOf(operation: object, others: Files = {}, schemas: object = {}): Files {
    const paths = { "/a": { post: { summary: "Make", responses: {}, ...operation } } };
    return {
        "docs.json": JSON.stringify({ navigation: { pages: ["api.json POST /a"] } }),
        "api.json": JSON.stringify({ openapi: "3.1.0", paths, components: { schemas } }, undefined, 1),
        ...others,
    };
}

const bodyOf = (media: object) => ({ requestBody: { content: { "application/json": media } } });
const many = <T>(count: number, make: (at: number) => T): Record<string, T> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, make(at)]));

async function pageOf(site: Files): Promise<{ html: string; warnings: string[] }> {
    let page = { html: "", warnings: [] as string[] };
    await withExport(site, async ({ read, warnings }) => {
        const html = await read("api-reference/make.html");
        page = { html, warnings: warnings.map(({ file, line, reason }) => `${file}:${line}: ${reason}`) };
    });
    return page;
}

describe("A part of a document that is too large for a page", () => {
    for (const [what, operation, warning, shown] of [
        ["examples", bodyOf({ examples: many(25, (at) => ({ value: `e${at}` })) }), /first 20 of 25 examples/, /e19/],
        [
            "types of a body",
            { requestBody: { content: many(12, () => ({ schema: { type: "string" } })) } },
            /first 10 of 12 types of a body/,
            /The document has 2 more types of a body/,
        ],
        [
            "variants of a schema",
            bodyOf({ schema: { oneOf: Object.values(many(205, (at) => ({ properties: { [`f${at}`]: {} } }))) } }),
            /first 200 of 205 variants of a schema/,
            /The document has 5 more variants/,
        ],
        [
            "a long example",
            bodyOf({ schema: { const: "short" }, example: "long".repeat(30_000) }),
            /an example of 120000 characters is too long for a page: only the document has it/,
            /short/,
        ],
        [
            "an example's values",
            bodyOf({ schema: { type: "object", properties: many(310, () => ({ type: "integer" })) } }),
            /an example shows only its first 300 values: its schema has the others/,
            /n309/,
        ],
    ] as const) {
        it(`is reported, with the place of the rest: ${what}`, async () => {
            const { html, warnings } = await pageOf(siteOf(operation));
            assert.match(warnings.join("\n"), warning);
            assert.match(html, shown);
        });
    }

    it("is counted if the document has too many mistakes", async () => {
        const lines = Array.from({ length: 8 }, () => "x: {}").join("\n");
        const site = siteOf(
            {},
            { "api.json": `openapi: 3.1.0\npaths: { /a: { post: { summary: Make } } }\n${lines}\n` },
        );
        assert.match((await warningsOf(site)).join("\n"), /^api\.json:\d+: column 1: .*there are 2 more mistakes/m);
    });
});

describe("A schema that is nested thousands of levels deep", () => {
    for (const [keyword, wrap] of Object.entries({
        properties: (inner: string) => `{"properties":{"inner":${inner}}}`,
        items: (inner: string) => `{"items":${inner}}`,
        allOf: (inner: string) => `{"allOf":[${inner}]}`,
        oneOf: (inner: string) => `{"oneOf":[${inner},{"type":"null"}]}`,
    })) {
        it(`is shown up to a depth, with a warning, and does not stop the export: ${keyword}`, async () => {
            const schema = Array.from({ length: 5000 }).reduce<string>((inner) => wrap(inner), '{"type":"string"}');
            const site = siteOf(bodyOf({ schema: "nested" }));
            const document = site["api.json"]?.replace('"nested"', schema) ?? "";
            const { html, warnings } = await pageOf({ ...site, "api.json": document });
            assert.match(html, /Body/);
            assert.match(warnings.join("\n"), /parts at more than 500 levels \(\d\) are left out/);
        });
    }
});

describe("A keyword of a schema without an effect on pages", () => {
    it("is reported once, with its count and the first line", async () => {
        const fields = many(3, () => ({ type: "string", description: "requierd", requierd: true, "x-own": 1 }));
        const { warnings } = await pageOf(siteOf(bodyOf({ schema: { properties: fields } })));
        assert.deepEqual(warnings, [
            "api.json:15: the keyword requierd (3 times) is not supported, and has no effect on pages",
        ]);
    });

    it("is not reported in names, examples and schemas of other languages", async () => {
        const schema = { properties: { requierd: { default: { requierd: 1 }, enum: [{ requierd: 1 }] } } };
        const { warnings } = await pageOf(siteOf(bodyOf({ schema, example: { schema: { requierd: 1 } } })));
        assert.deepEqual(warnings, []);
    });
});

describe("The file of an example (externalValue)", () => {
    const exampleOf = (externalValue: string) => bodyOf({ examples: { big: { externalValue } } });

    for (const [what, address, file] of [
        ["next to the document", "examples/cup.json", "examples/cup.json"],
        ["by its path from the site's folder", "/examples/cup.json", "examples/cup.json"],
    ] as const) {
        it(`is shown and sent: ${what}`, async () => {
            const { html, warnings } = await pageOf(
                siteOf(exampleOf(address), { [file]: '{"id":1253261109769874438}' }),
            );
            assert.match(html, /--data[^]*1253261109769874438/);
            assert.deepEqual(warnings, []);
        });
    }

    it("is reported if it is not in the site, or is not text", async () => {
        const warnings = await warningsOf(siteOf(exampleOf("cup.png"), { "cup.png": "\uFFFD" }));
        assert.match(warnings.join("\n"), /^api\.json:\d+: the reference cup\.png has no target/);
        const others = await warningsOf(siteOf(exampleOf("https://example.com/cup.json")));
        assert.match(others.join("\n"), /example\.com\/cup\.json leads to another server, and is not followed/);
    });
});

describe("The values of an enum", () => {
    it("have the meanings that the document describes", async () => {
        const listed = { enum: [1, 2], "x-enum-descriptions": ["Small <cup>", "Large cup"] };
        const named = { type: "array", items: { enum: ["s", "l"], "x-enumDescriptions": { l: "Large one" } } };
        const { html } = await pageOf(siteOf(bodyOf({ schema: { properties: { listed, named } } })));
        assert.match(html, /<code>1<\/code>: Small &lt;cup&gt;, <code>2<\/code>: Large cup/);
        assert.match(html, /<code>&quot;s&quot;<\/code>, <code>&quot;l&quot;<\/code>: Large one/);
    });
});
