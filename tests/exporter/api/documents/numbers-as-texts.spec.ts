import assert from "node:assert/strict";
import { readDocumentFiles } from "../../../../exporter/src/api/documents/read-document-files.js";
import { withExport } from "../../support/site-fixture.js";

const document = `
openapi: 3.1.0
tags: [{ name: 123, description: 9 }]
paths:
  /a:
    get:
      summary: 404
      description: 12
      tags: [123, true]
      parameters: [{ name: 5, in: query, description: 55, example: { title: 1, tags: [2] } }]
      responses:
        200:
          description: 6
          content:
            application/json:
              schema: { title: 7, type: object, properties: { name: { description: 8, default: 1, enum: [1, 2] } } }
              examples: { title: { summary: 77, value: { name: 1, summary: 2 } } }
`;

/** The objects of the document, each by its path. */
function rootOf(text: string): unknown {
    return readDocumentFiles(
        "a.yaml",
        () => text,
        false,
        () => assert.fail(),
    )?.root;
}

describe("A text of an API document without quotes", () => {
    it("is a text where the specification expects one, and a number in examples and values", () => {
        assert.deepEqual(rootOf(document), {
            openapi: "3.1.0",
            tags: [{ name: "123", description: "9" }],
            paths: {
                "/a": {
                    get: {
                        summary: "404",
                        description: "12",
                        tags: ["123", "true"],
                        parameters: [{ name: "5", in: "query", description: "55", example: { title: 1, tags: [2] } }],
                        responses: {
                            200: {
                                description: "6",
                                content: {
                                    "application/json": {
                                        schema: {
                                            title: "7",
                                            type: "object",
                                            properties: { name: { description: "8", default: 1, enum: [1, 2] } },
                                        },
                                        examples: { title: { summary: "77", value: { name: 1, summary: 2 } } },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        });
    });

    it("is the title, the group and the description of a page", async () => {
        const site = {
            "docs.json": JSON.stringify({ navigation: { groups: [{ group: "API", openapi: "api.yaml" }] } }),
            "api.yaml": document,
        };
        await withExport(site, async ({ read, warnings }) => {
            const html = await read("api-reference/123/404.html");
            assert.match(html, /<h1[^>]*>404</);
            assert.match(html, /<p>12<\/p>/);
            assert.match(html, /<code>5<\/code>/);
            assert.deepEqual(warnings, []);
        });
    });
});
