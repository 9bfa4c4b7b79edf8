import assert from "node:assert/strict";
import { withExport, type Files } from "../../support/site-fixture.js";

const id = "1253261109769874438";

const operation = {
    parameters: [{ name: "after", in: "query", schema: { type: "integer", default: "ID" } }],
    requestBody: { content: { "application/json": { example: { id: "ID", half: 0.5, small: 7 } } } },
    responses: { 200: { description: "It.", content: { "application/json": { example: { parent: "ID" } } } } },
    "x-mint": { metadata: { order: "ID" } },
};

const schemas = { Pet: { type: "integer", minimum: "ID", enum: ["ID"], default: "ID" } };

const json = JSON.stringify({
    openapi: "3.1.0",
    paths: { "/pets": { post: operation } },
    components: { schemas },
}).replaceAll('"ID"', id);

const pages = {
    "docs.json": JSON.stringify({ navigation: { pages: ["a", "pet"] } }),
    "pet.md": "---\nopenapi-schema: Pet\n---\n",
};

describe("Integers of more than 53 bits", () => {
    for (const [file, files] of [
        ["api.json", { ...pages, "api.json": json }],
        // JSON with unquoted keys is YAML.
        ["api.yaml", { ...pages, "api.yaml": json.replace('"openapi":', "openapi: ") }],
    ] as [string, Files][]) {
        it(`are shown without rounding from ${file}: in code, forms, limits, examples and Markdown copies`, async () => {
            const site = { ...files, "a.mdx": `---\nopenapi: ${file} POST /pets\n---\n` };
            await withExport(site, async ({ read, warnings }) => {
                const html = (await read("a.html")).replace(/<\/?span[^>]*>/g, "").replaceAll("&quot;", '"');
                assert.match(html, new RegExp(`"body":"[^}]*\\\\"id\\\\": ${id}`));
                assert.match(html, new RegExp(`curl [^<]*after=${id}`));
                assert.match(html, new RegExp(`default: ${id}`));
                assert.match(html, new RegExp(`"parent": ${id}`));
                assert.match(await read("a.md"), new RegExp(`"id": ${id},\\s+"half": 0.5,\\s+"small": 7`));
                const model = await read("pet.html");
                assert.match(model, new RegExp(`minimum: ${id}[^]*One of <code>${id}`));
                assert.doesNotMatch(html + model, /125326110976987(?!4438)/);
                assert.deepEqual(warnings, []);
            });
        });
    }
});
