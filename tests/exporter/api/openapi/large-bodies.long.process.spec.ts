import assert from "node:assert/strict";
import { petsSite } from "../../support/pets-site.js";
import { withExport, withRepeatedExports, writeFiles, type Files } from "../../support/site-fixture.js";

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Returns a document with a model whose fields are models, each with many fields that have long descriptions. */
function largeDocument(variants: number, others: object = {}) {
    const description = "A setting of the voice, and what it means for calls. ".repeat(8);
    const properties = (prefix: string) =>
        Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${prefix}${n}`, { type: "string", description }]));
    const names = Array.from({ length: variants }, (_, n) => `Voice${n}`);
    const schemas = {
        ...Object.fromEntries(names.map((name) => [name, { type: "object", properties: properties(`of-${name}-`) }])),
        Assistant: {
            type: "object",
            properties: {
                voice: { oneOf: names.map(reference) },
                ...Object.fromEntries(names.slice(0, 12).map((name, n) => [`setting${n}`, reference(name)])),
                name: { type: "string" },
            },
        },
        ...others,
    };
    const content = { "application/json": { schema: reference("Assistant") } };
    const responses = { 201: { description: "Made", content }, 400: { description: "Refused", content } };
    const post = { summary: "Create", requestBody: { content }, responses };
    return {
        openapi: "3.1.0",
        info: { title: "Voices", version: "1" },
        paths: { "/assistant": { post } },
        components: { schemas },
    };
}

const siteOf = (document: object, others: Files = {}): Files =>
    petsSite({ pages: ["index", "POST /assistant"] }, { "openapi.json": JSON.stringify(document), ...others });

const count = (html: string, text: string) => html.split(text).length - 1;

describe("a large request or response body", () => {
    it("shows all its top-level fields wherever it is used", async () => {
        await withExport(siteOf(largeDocument(60)), async ({ read }) => {
            const html = await read("api-reference/create.html");
            for (const field of ["voice", "setting0", "setting11", "name"]) {
                assert.equal(count(html, `<p class="field-name"><code>${field}</code>`), 3, field);
            }
            assert.ok(html.length < 900_000, `${html.length}`);
        });
    });

    it("links to separate, searchable pages for the models that it leaves out", async () => {
        await withExport(siteOf(largeDocument(60)), async ({ read, warnings }) => {
            const html = await read("api-reference/create.html");
            assert.match(html, /Not shown here: <a href="\.\.\/openapi\/voice59\.html">Voice59<\/a>/);
            const model = await read("openapi/voice59.html");
            assert.match(model, /<h1[^>]*>Voice59<\/h1>[\s\S]*<code>of-Voice59-29<\/code>/);
            assert.doesNotMatch(model, /noindex/);
            assert.deepEqual(
                warnings.map(({ file, kind, reason }) => [file, kind, reason.slice(0, 29)]),
                [
                    ["openapi.json", "openapi", "an example shows only its fir"],
                    ["openapi.json", "openapi", "some models are too large for"],
                ],
            );
        });
    });

    it("links to the site's existing page of a model", async () => {
        const files = siteOf(largeDocument(60), { "voices/last.mdx": "---\nopenapi-schema: Voice59\n---\n" });
        await withExport(files, async ({ read, files: all }) => {
            assert.match(await read("api-reference/create.html"), /<a href="\.\.\/voices\/last\.html">Voice59<\/a>/);
            assert.ok(!(await all()).includes("openapi/voice59.html"));
        });
    });

    it("creates no model pages if a page of its document is for certain readers", async () => {
        const files = siteOf(largeDocument(60), {
            "secret.mdx": "---\nopenapi-schema: Voice3\ngroups: [staff]\n---\n",
        });
        await withExport(files, async ({ read, files: all, warnings }) => {
            assert.match(
                await read("api-reference/create.html"),
                /<p class="field-model">Not shown here: Voice59<\/p>/,
            );
            assert.deepEqual(
                (await all()).filter((file) => file.startsWith("openapi/")),
                [],
            );
            assert.ok(warnings.some(({ reason }) => reason.startsWith("some fields of Voice59 are not on any page")));
        });
    });

    it("is shown completely and without additional pages if it fits on its page", async () => {
        await withExport(siteOf(largeDocument(1)), async ({ read, files, warnings }) => {
            const html = await read("api-reference/create.html");
            assert.equal(count(html, "<code>of-Voice0-29</code>"), 6);
            assert.doesNotMatch(html, /Not shown here/);
            assert.deepEqual(
                (await files()).filter((file) => file.startsWith("openapi/")),
                [],
            );
            assert.deepEqual(warnings, []);
        });
    });

    it("shows the type of every variant", async () => {
        await withExport(siteOf(largeDocument(60)), async ({ read }) => {
            assert.match(
                await read("api-reference/create.html"),
                /<code>voice<\/code><span>Voice0 \| [^<]* \| Voice59<\/span>/,
            );
        });
    });

    it("is rendered even if models without fields refer to each other in a circle", async () => {
        const empty = Object.fromEntries(
            Array.from({ length: 9 }, (_, n) => [`E${n}`, { allOf: Array(30).fill(reference(`E${n + 1}`)) }]),
        );
        const properties = { name: { type: "string" }, nothing: reference("E0") };
        const document = largeDocument(12, { ...empty, Assistant: { type: "object", properties } });
        await withExport(siteOf(document), async ({ read }) => {
            assert.match(await read("api-reference/create.html"), /<code>nothing<\/code>/);
        });
    });

    it("keeps its model pages in a repeated export, even after a change of the document", async () => {
        await withRepeatedExports(siteOf(largeDocument(60)), async ({ sourceDir, again }) => {
            await again();
            await again();
            await writeFiles(sourceDir, { "openapi.json": JSON.stringify(largeDocument(61)) });
            await again();
        });
    });
});
