import { type Files } from "./site-fixture.js";

/** An OpenAPI document with examples of most features. */
export const petsDocument = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://{region}.example.com/v1/", variables: { region: { default: "eu" } } }],
    security: [{ key: [] }],
    paths: {
        "/pets/{id}": {
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } }],
            get: {
                tags: ["Pets"],
                summary: "Get a pet",
                description: "Gives **one** pet.",
                parameters: [
                    { name: "full", in: "query", description: "With all", schema: { type: "boolean", default: false } },
                ],
                responses: {
                    200: {
                        description: "Found",
                        content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
                    },
                },
            },
        },
        "/pets": {
            post: {
                tags: ["Pets"],
                summary: "Create a pet",
                deprecated: true,
                requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/NewPet" } } } },
                responses: { 201: { description: "Made" } },
            },
            get: { tags: ["Other"], operationId: "listPets", responses: {} },
        },
    },
    components: {
        securitySchemes: { key: { type: "http", scheme: "bearer", description: "Your key" } },
        schemas: {
            Pet: {
                type: "object",
                required: ["name"],
                properties: {
                    name: { type: "string", description: "Its name", enum: ["Rex", "Tom"] },
                    parent: { $ref: "#/components/schemas/Pet" },
                    tags: { type: ["array", "null"], items: { type: "string" } },
                },
            },
            NewPet: {
                allOf: [{ $ref: "#/components/schemas/Pet" }],
                oneOf: [
                    { title: "Cat", properties: { indoor: { type: "boolean" } } },
                    { title: "Dog", properties: { size: { type: "integer" } } },
                ],
            },
        },
    },
};

/** Returns a site with `petsDocument` as `openapi.json`, and a first page. */
export const petsSite = (navigation: unknown, others: Files = {}): Files => ({
    "index.md": "# Home",
    "openapi.json": JSON.stringify(petsDocument),
    "docs.json": JSON.stringify({ name: "Docs", navigation }),
    ...others,
});
