import assert from "node:assert/strict";
import fc from "fast-check";
import { scaled } from "../../../scale.js";
import { countParts } from "./counted-pages.js";
import { randomDocuments } from "./random-document.js";

describe("The pages of a random API document", () => {
    it("contain each property, parameter, value, description and example, or a warning does", async () => {
        await fc.assert(
            fc.asyncProperty(randomDocuments, async ({ files, entry }) => {
                const { lost, unlinked } = await countParts(files, entry);
                assert.deepEqual({ lost, unlinked }, { lost: [], unlinked: [] });
            }),
            { numRuns: scaled({ short: 25, long: 500 }), endOnFailure: true },
        );
    });

    it("would fail this comparison with a part that no page shows", async () => {
        const body = { content: { "a/b": { schema: { contentSchema: { properties: { a: {} } } } } } };
        const document = { openapi: "3.1.0", paths: { "/a": { post: { summary: "Make", requestBody: body } } } };
        const { lost } = await countParts({ "api.json": JSON.stringify(document) }, "api.json");
        assert.deepEqual(lost, []);
        const { schema } = body.content["a/b"];
        const hidden = { "api.json": JSON.stringify(document).replace("contentSchema", "hiddenSchema") };
        assert.ok(schema);
        assert.deepEqual((await countParts(hidden, "api.json")).lost.length, 1);
    });
});
