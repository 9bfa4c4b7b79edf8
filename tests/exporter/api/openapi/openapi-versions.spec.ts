import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

/** Exports a document's generated pages. Returns their text by file, without markup for colours. */
async function pagesOf(document: string): Promise<{ pages: Map<string, string>; warnings: readonly unknown[] }> {
    const pages = new Map<string, string>();
    let found: readonly unknown[] = [];
    const navigation = { tabs: [{ tab: "API", openapi: "api.yaml" }] };
    const site = { "docs.json": JSON.stringify({ navigation }), "api.yaml": document };
    await withExport(site, async ({ files, read, warnings }) => {
        for (const file of (await files()).filter((each) => /^api-reference.*\.html$/.test(each))) {
            const html = (await read(file)).replace(/<\/?span[^>]*>/g, "").replaceAll("&#x27;", "'");
            pages.set(file.replace(/^api-reference\/|\.html$/g, ""), html.replaceAll("&#39;", "'"));
        }
        found = warnings;
    });
    return { pages, warnings: found };
}

const latest = `
openapi: 3.2.0
info: { title: New, version: 1.0.0 }
servers: [{ url: https://api.example.com, name: Production }, { url: https://test.example.com }]
tags: [{ name: pots, summary: Pots and pans }]
paths:
  /pots:
    get:
      summary: List pots
      tags: [pots]
      parameters:
        - name: all
          in: querystring
          required: true
          content:
            application/x-www-form-urlencoded:
              schema: { type: object, properties: { size: { type: integer, example: 3 }, sort: { type: string } } }
      responses:
        "200":
          summary: All of them
          content:
            application/jsonl: { itemSchema: { type: object, properties: { potId: { type: integer } } } }
    query:
      summary: Search pots
      requestBody: { content: { application/json: { examples: { a: { dataValue: { words: blue } } } } } }
      responses: { "200": { description: ok } }
    additionalOperations:
      COPY: { summary: Copy a pot, responses: { "200": { description: ok } } }
      "<b>": { summary: No method, responses: {} }
`;

describe("OpenAPI 3.2", () => {
    it("has pages for the method query and for other methods, and ignores what is not a method", async () => {
        const { pages, warnings } = await pagesOf(latest);
        assert.deepEqual([...pages.keys()].sort(), ["copy-a-pot", "pots/list-pots", "search-pots"]);
        assert.match(pages.get("search-pots") ?? "", /curl --request QUERY --url 'https:\/\/api\.example\.com\/pots'/);
        assert.match(pages.get("search-pots") ?? "", /"words": "blue"|&quot;words&quot;: &quot;blue&quot;/);
        assert.match(pages.get("copy-a-pot") ?? "", /curl --request COPY/);
        assert.deepEqual(warnings, []);
    });

    it("has the whole query string as one parameter, items of streams, and names of servers, tags and responses", async () => {
        const { pages } = await pagesOf(latest);
        const page = pages.get("pots/list-pots") ?? "";
        assert.match(page, /--url 'https:\/\/api\.example\.com\/pots\?size=3&#?\w*;?sort=/);
        assert.match(page, /Query string[^]*<code>size<\/code>/);
        assert.match(page, /All of them[^]*<code>potId<\/code>/);
        assert.match(page, /<code>https:\/\/api\.example\.com<\/code>Production/);
        assert.match(page, /Pots and pans/);
    });
});

const old = `
swagger: "2.0"
info: { title: Old, version: 1.0.0 }
host: old.example.com
basePath: /v2
schemes: [https]
consumes: [application/json]
securityDefinitions: { key: { type: apiKey, name: X-Key, in: header } }
security: [{ key: [] }]
paths:
  /pets:
    post:
      summary: Add a pet
      parameters:
        - { name: ids, in: query, required: true, type: array, items: { type: integer, example: 7 }, collectionFormat: multi }
        - { name: body, in: body, schema: { $ref: "#/definitions/Pet" } }
      responses: { "200": { description: Added, schema: { $ref: "#/definitions/Pet" } } }
  /pictures:
    post:
      summary: Add a picture
      consumes: [multipart/form-data]
      parameters: [{ name: picture, in: formData, type: file, required: true }]
      responses: { "204": { description: Added } }
definitions:
  Pet: { type: object, properties: { example: { type: string, example: Rex }, next: { $ref: "#/definitions/Pet" } } }
`;

describe("Swagger 2.0", () => {
    it("has the same pages as OpenAPI: servers, keys, lists, bodies, files and models", async () => {
        const { pages, warnings } = await pagesOf(old);
        const page = pages.get("add-a-pet") ?? "";
        assert.match(page, /curl --request POST --url 'https:\/\/old\.example\.com\/v2\/pets\?ids=7'/);
        assert.match(page, /X-Key: &lt;api-key&gt;[^]*Content-Type: application\/json/);
        assert.match(page, /<code>example<\/code>string[^]*<code>next<\/code>Pet/);
        assert.match(pages.get("add-a-picture") ?? "", /--form 'picture=@file'/);
        assert.deepEqual(warnings, []);
    });

    it("is found without a setting that names it", async () => {
        const site = {
            "docs.json": JSON.stringify({ navigation: { pages: ["a"] } }),
            "a.md": "---\nopenapi: POST /pets\n---\n",
            "old.yaml": old,
        };
        await withExport(site, async ({ read, warnings }) => {
            assert.match(await read("a.html"), /old\.example\.com/);
            assert.deepEqual(warnings, []);
        });
    });
});

describe("A version without quotes", () => {
    it("is the version Swagger 2.0", async () => {
        const { pages, warnings } = await pagesOf(old.replace('"2.0"', "2.0"));
        const page = pages.get("add-a-pet") ?? "";
        assert.match(page, /https:\/\/old\.example\.com\/v2\/pets/);
        assert.match(page, /<code>next<\/code>Pet/);
        assert.deepEqual(warnings, []);
    });

    for (const version of ["3.0", "3.1", "3.2"]) {
        it(`is the version ${version} of OpenAPI`, async () => {
            const { pages, warnings } = await pagesOf(latest.replace("3.2.0", version));
            assert.match(pages.get("pots/list-pots") ?? "", /https:\/\/api\.example\.com/);
            assert.deepEqual(warnings, []);
        });
    }
});

describe("A keyword of OpenAPI 3.2", () => {
    const document = `
openapi: 3.2.0
servers: [{ url: https://api.example.com, name: Only one }]
security: [{ login: [] }]
components:
  securitySchemes:
    login: { type: oauth2, deprecated: true, oauth2MetadataUrl: https://login.example.com/metadata, flows: {} }
paths:
  /a:
    post:
      summary: Add
      requestBody:
        content:
          multipart/mixed:
            schema: { type: array, prefixItems: [{ type: string }], items: { type: string } }
            prefixEncoding: [{ contentType: text/csv }]
            itemEncoding: { contentType: text/vcard }
      responses: { 200: { description: Done } }
`;
    let page = "";

    before(async () => {
        const { pages, warnings } = await pagesOf(document);
        assert.deepEqual(warnings, []);
        page = pages.get("add") ?? "";
    });

    for (const [keyword, shown] of [
        ["the name of the only server", /<code>https:\/\/api\.example\.com<\/code>Only one/],
        ["deprecated of a security scheme", /<code>Authorization<\/code>[^]*?oauth2deprecated/],
        ["oauth2MetadataUrl", /href="https:\/\/login\.example\.com\/metadata"/],
        ["prefixEncoding", /\[0\] is sent with contentType: text\/csv/],
        ["itemEncoding", /\[other items\] is sent with contentType: text\/vcard/],
    ] as const) {
        it(`is on the page: ${keyword}`, () => {
            assert.match(page, shown);
        });
    }
});
