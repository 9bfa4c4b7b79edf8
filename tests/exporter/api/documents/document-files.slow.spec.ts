import assert from "node:assert/strict";
import { type Files, warningsOf, withExport } from "../../support/site-fixture.js";

const settings = { navigation: { groups: [{ group: "API", openapi: "api/openapi.yaml" }] } };

const site: Files = {
    "docs.json": JSON.stringify(settings),
    "api/openapi.yaml": `
openapi: 3.1.0
paths:
  /pets: { $ref: paths/pets.yaml }
components:
  schemas: { $ref: models/all.json }
  responses:
    Gone: { description: It is gone. }
`,
    "api/paths/pets.yaml": `
post:
  summary: Add a pet
  requestBody: { content: { application/json: { schema: { $ref: ../models/all.json#/Pet } } } }
  responses:
    "200": { content: { application/json: { schema: { $ref: "../models/owner.yaml" } } } }
    "410": { $ref: "../openapi.yaml#/components/responses/Gone" }
`,
    "api/models/all.json": JSON.stringify({
        Pet: { type: "object", properties: { nickname: { $ref: "#/Name" }, owner: { $ref: "./owner.yaml" } } },
        Name: { type: "string", description: "What it hears." },
    }),
    "api/models/owner.yaml": `
type: object
properties:
  pets: { type: array, items: { $ref: all.json#/Pet } }
`,
};

const page = "add-a-pet.html";

describe("an API document in several files", () => {
    it("is shown as one document: paths, models and responses, even with circular references", async () => {
        await withExport(site, async ({ files, read, warnings }) => {
            const [file = page] = (await files()).filter((each) => each.endsWith(page));
            const html = await read(file);
            assert.match(html, /<code>nickname<\/code><span>string<\/span>[^]*What it hears\./);
            assert.match(html, /<code>owner<\/code><span>owner<\/span>[^]*<code>pets<\/code><span>Pet\[\]/);
            assert.match(html, /It is gone\./);
            assert.deepEqual(warnings, []);
        });
    });

    it("causes warnings about references out of the site and to missing parts of a file, with their lines", async () => {
        const owner = `
type: object
properties:
  a: { $ref: ../../../secret.yaml }
  b: { $ref: "all.json#/Cat" }
  c: { $ref: https://example.com/c.yaml }
`;
        assert.deepEqual(await warningsOf({ ...site, "api/models/owner.yaml": owner }), [
            "api/models/owner.yaml:4: the reference ../../../secret.yaml has no target: that content is missing from the pages",
            "api/models/owner.yaml:5: the reference all.json#/Cat has no target: that content is missing from the pages",
            "api/models/owner.yaml:6: the reference https://example.com/c.yaml leads to another server, and is not followed: put a copy into the site",
        ]);
    });

    it("is read up to 16 MB; a larger document causes a warning, not a failure", async () => {
        const paths = { "/a": { get: { summary: "Big", description: "Text ".repeat(1_200_000), responses: {} } } };
        const text = JSON.stringify({ openapi: "3.1.0", paths });
        const big = { "a.md": "---\nopenapi: big.json GET /a\n---\n" };
        assert.deepEqual(await warningsOf({ ...big, "big.json": text }), []);
        assert.deepEqual(await warningsOf({ ...big, "big.json": text.replace(/Text /g, "Täxt 漢") }), []);
        assert.deepEqual(await warningsOf({ ...big, "big.json": text.padEnd(17_000_000) }), [
            "big.json: the document has 17000000 bytes, but may have only 16777216: split the document",
        ]);
    });

    it("is left out with all its files if one file contains parts for certain readers", async () => {
        const owner = `
type: object
x-mint: { groups: [staff] }
properties: { salary: { type: number } }
`;
        await withExport({ ...site, "api/models/owner.yaml": owner }, async ({ files, read }) => {
            const published = await files();
            assert.deepEqual(
                published.filter((file) => /\.(?:json|yaml)$/.test(file)),
                [],
            );
            const pages = published.filter((file) => /\.(?:html|md|txt)$/.test(file));
            assert.ok(pages.some((file) => file.endsWith(page)));
            for (const file of pages) {
                assert.doesNotMatch(await read(file), /salary|<code>owner/, file);
            }
        });
    });

    it("is left out with all its files even if a mistake hides a reference to one of them", async () => {
        const broken = `
openapi: 3.1.0
paths:
  /pets: { get: { responses: {} }, post: { x-mint: { groups: [staff] }, responses: {} } }
x-one: { $ref: private.json }
x-one: {}
x-two: "{ $ref: more.json }
`;
        const files = {
            "docs.json": JSON.stringify({ navigation: { pages: ["index", "GET /pets"] } }),
            "index.md": "# Home",
            "openapi.yaml": broken,
            "private.json": '{ "type": "object" }',
            "more.json": '{ "type": "object" }',
        };
        await withExport(files, async (site) => {
            const published = await site.files();
            assert.deepEqual(
                published.filter((file) => /(?:openapi|private|more)\.(?:json|yaml)$/.test(file)),
                [],
            );
        });
    });
});
