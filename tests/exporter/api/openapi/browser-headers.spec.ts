import assert from "node:assert/strict";
import { type ApiOperation } from "../../../../exporter/src/api/openapi/api-document.js";
import { credentialChoices } from "../../../../exporter/src/api/openapi/credentials.js";
import { exampleRequest, parameterFields } from "../../../../exporter/src/api/openapi/operation-request.js";

const names = [
    "Accept-Encoding",
    "DNT",
    "Proxy-Authorization",
    "sec-fetch-mode",
    "Via",
    "X-Trace",
    "Secret",
    "Upgrader",
];

function operation(security: object[]): ApiOperation {
    const parameters = [
        ...names.map((name) => ({ name, in: "header", example: "a" })),
        { name: "session", in: "cookie", example: "a" },
        { name: "Date", in: "query", example: "a" },
    ];
    const node = { security, parameters, responses: {} };
    const securitySchemes = {
        proxy: { type: "apiKey", name: "Proxy-Key", in: "header" },
        key: { type: "apiKey", name: "X-Key", in: "header" },
    };
    const root = { openapi: "3.1.0", components: { securitySchemes }, paths: { "/a": { get: node } } };
    return { document: { file: "a.json", root }, method: "get", path: "/a", node, pathItem: { get: node } } as never;
}

describe("The headers that browsers drop from a page's request", () => {
    it("are not in the request form, but in the code", () => {
        const shown = parameterFields(operation([])).map(({ name }) => name);
        assert.deepEqual(shown.sort(), ["Date", "Secret", "Upgrader", "X-Trace"]);
        const { headers } = exampleRequest(operation([]), {});
        assert.deepEqual(
            headers
                .map(([name]) => name)
                .filter((name) => name !== "Cookie")
                .sort(),
            [...names].sort(),
        );
    });

    it("make a way to authenticate come after one that a page can send", () => {
        const choices = credentialChoices(operation([{ proxy: [] }, { key: [] }]));
        assert.deepEqual(
            choices.map(({ label }) => label),
            ["X-Key", "Proxy-Key"],
        );
    });
});
