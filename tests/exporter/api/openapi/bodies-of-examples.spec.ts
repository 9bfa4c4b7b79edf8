import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

const account = {
    type: "object",
    required: ["id"],
    properties: {
        id: { type: "string", example: "acc_1", readOnly: true },
        name: { type: "string", example: "Ada" },
        password: { $ref: "#/components/schemas/Password" },
    },
};

const body = { content: { "application/json": { schema: account } } };

/** Exports an operation that accepts and returns an account. Returns the page and the data of its request form. */
async function pageOf(settings: object = {}): Promise<{ html: string; request: string }> {
    const api = {
        openapi: "3.1.0",
        servers: [{ url: "https://api.example.com" }],
        security: [{ key: [] }],
        components: {
            schemas: { Password: { type: "string", example: "hush", writeOnly: true } },
            securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key", "x-default": "demo" } },
        },
        paths: {
            "/accounts": {
                post: {
                    parameters: [{ name: "mode", in: "query", schema: { type: "string", "x-default": "test" } }],
                    requestBody: body,
                    responses: { 200: { description: "It.", ...body } },
                },
            },
        },
    };
    const files = {
        "docs.json": JSON.stringify({ navigation: { pages: ["a"] }, ...settings }),
        "a.mdx": "---\nopenapi: api.json POST /accounts\n---\n",
        "api.json": JSON.stringify(api),
    };
    let found = { html: "", request: "" };
    await withExport(files, async ({ read }) => {
        const page = await read("a.html");
        const [, request = ""] = /data-request="([^"]*)"/.exec(page) ?? [];
        found = { html: page.replace(/<\/?span[^>]*>/g, ""), request: request.replaceAll("&quot;", '"') };
    });
    return found;
}

describe("examples of request and response bodies", () => {
    it("contain no read-only fields in a request, and no write-only fields in a response", async () => {
        const { html, request } = await pageOf();
        const sample = /curl --request POST[^]*?<\/pre>/.exec(html)?.[0] ?? "";
        for (const text of [sample, request]) {
            assert.match(text, /Ada/);
            assert.match(text, /hush/);
            assert.doesNotMatch(text, /acc_1/);
        }
        const example = /data-title="200"[^]*?<\/pre>/.exec(html)?.[0] ?? "";
        assert.match(example, /acc_1[^]*Ada/);
        assert.doesNotMatch(example, /hush/);
    });

    it("contain no read-only fields in a request, even if only required fields are shown", async () => {
        const { request } = await pageOf({ api: { examples: { defaults: "required" } } });
        assert.doesNotMatch(request, /acc_1|Ada/);
    });

    it("are shown, and form fields start with their x-default values", async () => {
        const { request } = await pageOf();
        assert.match(request, /"name":"X-Key","in":"header","secret":true,"value":"demo"/);
        assert.match(request, /"name":"mode","in":"query","value":"test"/);
    });
});
