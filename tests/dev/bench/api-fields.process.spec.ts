import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findMissingFields } from "../../../dev/bench/foreign/api-fields.js";
import { withFolder } from "../../sdk/support/files.js";

/** `npm run bench foreign` runs this check on the sites that it exports. */
describe("fields of an API that are missing from its pages", () => {
    const schemas = {
        Pet: { properties: { name: {}, owner: { properties: { phone: {} } } } },
        Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }], oneOf: [{ properties: { indoor: {} } }] },
        Error: { properties: { code: {} } },
        Pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
    };
    const content = (name: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } });
    const post = {
        requestBody: { content: content("Cat") },
        responses: { 200: { content: content("Pets") }, 400: { $ref: "#/components/responses/Bad" } },
    };
    const document = {
        openapi: "3.1.0",
        paths: { "/cats": { post } },
        components: { schemas, responses: { Bad: { content: content("Error") } } },
    };
    const nothing = { isBlank: false, title: "", description: "", text: "", others: [] };

    async function reportOf(operation: string, fields: readonly string[], file = "api.json") {
        let report: Awaited<ReturnType<typeof findMissingFields>> | undefined;
        await withFolder(async (folder) => {
            await writeFile(join(folder, "other.json"), "{}");
            await writeFile(join(folder, file), JSON.stringify(document, null, 2));
            report = await findMissingFields([{ ...nothing, operation, fields }], folder);
        });
        return report;
    }

    it("include the first level of bodies, and the first level of their parts, variants and items", async () => {
        assert.deepEqual(await reportOf("POST /cats", ["name"]), {
            fields: 4,
            missing: ["POST /cats: owner", "POST /cats: indoor", "POST /cats: code"],
        });
        assert.deepEqual(await reportOf("POST /cats", ["name", "owner", "indoor", "code"], "api.yaml"), {
            fields: 4,
            missing: [],
        });
    });

    it("exclude the fields of operations without a page", async () => {
        assert.deepEqual(await reportOf("GET /cats", []), { fields: 0, missing: [] });
    });
});
