import assert from "node:assert/strict";
import { exampleRequest } from "../../../../exporter/src/api/openapi/operation-request.js";
import { credentialChoices } from "../../../../exporter/src/api/openapi/credentials.js";
import { type ApiOperation } from "../../../../exporter/src/api/openapi/api-document.js";

const securitySchemes = {
    key: { type: "apiKey", name: "X-Key", in: "header" },
    inQuery: { type: "apiKey", name: "app id", in: "query" },
    cookie: { type: "apiKey", name: "session", in: "cookie" },
    bearer: { type: "http", scheme: "BEARER" },
    basic: { type: "http", scheme: "Basic" },
    proof: { type: "http", scheme: "DPoP" },
    certificate: { type: "mutualTLS" },
    login: { type: "oauth2", flows: {} },
};

function operationWith(security: object[], servers: object[] = [{ url: "https://api.example.com" }]): ApiOperation {
    const node = { security, responses: {} };
    const document = {
        file: "apis/pets.json",
        root: { openapi: "3.1.0", components: { securitySchemes }, servers, paths: { "/a": { get: node } } },
    };
    return { document, method: "get", path: "/a", node, pathItem: { get: node } } as never;
}

const sent = (security: object[]) => {
    const { url, headers } = exampleRequest(operationWith(security), {});
    return [url.replace("https://api.example.com", ""), ...headers.map((header) => header.join(": "))];
};

describe("The credentials in the example of a request", () => {
    for (const [what, security, expected] of [
        ["an API key in a header", [{ key: [] }], ["/a", "X-Key: <api-key>"]],
        ["an API key in the query", [{ inQuery: [] }], ["/a?app%20id=API_KEY"]],
        ["two keys at once", [{ key: [], inQuery: [] }], ["/a?app%20id=API_KEY", "X-Key: <api-key>"]],
        ["a cookie", [{ cookie: [] }], ["/a", "Cookie: session=API_KEY"]],
        ["a token, whatever the case of its scheme", [{ bearer: [] }], ["/a", "Authorization: Bearer <token>"]],
        ["a user and a password", [{ basic: [] }], ["/a", "Authorization: Basic <credentials>"]],
        ["another scheme", [{ proof: [] }], ["/a", "Authorization: DPoP <token>"]],
        ["a login", [{ login: [] }], ["/a", "Authorization: Bearer <token>"]],
        ["a client certificate, which is not in the request", [{ certificate: [] }], ["/a"]],
        ["an optional key, which comes after none", [{}, { key: [] }], ["/a", "X-Key: <api-key>"]],
        ["a token instead of a cookie", [{ cookie: [] }, { bearer: [] }], ["/a", "Authorization: Bearer <token>"]],
        [
            "one header for two schemes with the same header",
            [{ bearer: [], login: [] }],
            ["/a", "Authorization: Bearer <token>"],
        ],
        ["none", [{}], ["/a"]],
    ] as const) {
        it(`are ${what}`, () => assert.deepEqual(sent([...security]), expected));
    }

    it("can be chosen where the document offers a choice; the one in the example is the first", () => {
        const choices = credentialChoices(operationWith([{}, { cookie: [] }, { inQuery: [], key: [] }]));
        assert.deepEqual(
            choices.map(({ label, fields }) => [label, fields.map(({ name }) => name)]),
            [
                ["app id + X-Key", ["app id", "X-Key"]],
                ["session", ["session"]],
                ["None", []],
            ],
        );
    });
});

describe("The address in the example of a request", () => {
    it("has the defaults of the server's variables, also numbers", () => {
        const servers = [
            {
                url: "https://{host}:{port}/v{version}",
                variables: { host: { default: "api" }, port: { default: 8443 }, version: { default: 2 } },
            },
        ];
        assert.equal(exampleRequest(operationWith([], servers), {}).url, "https://api:8443/v2/a");
    });

    const site = { domain: "docs.example.com", basePath: "docs" };
    for (const [server, expected] of [
        ["/v1", "https://docs.example.com/v1/a"],
        ["//api.test/v1/", "https://api.test/v1/a"],
        ["./v1", "https://docs.example.com/docs/apis/v1/a"],
        ["v1", "https://docs.example.com/docs/apis/v1/a"],
        ["../v1/", "https://docs.example.com/docs/v1/a"],
        ["/", "https://docs.example.com/a"],
        ["/\\[", "https://docs.example.com/\\[/a"],
        ["https://{host}/x", "https://host/x/a"],
    ]) {
        it(`is relative to the document for the server ${server}, as OpenAPI says`, () => {
            assert.equal(exampleRequest(operationWith([], [{ url: server }]), {}, { site }).url, expected);
        });
    }

    it("has a placeholder for a host that is not known", () => {
        const local = { domain: "localhost", basePath: "" };
        const urlOf = (servers: object[], of?: typeof site) =>
            exampleRequest(operationWith([], servers), {}, of && { site: of }).url;
        assert.equal(urlOf([{ url: "/v1" }]), "https://API_HOST/v1/a");
        assert.equal(urlOf([{ url: "/v1" }], local), "https://API_HOST/v1/a");
        assert.equal(urlOf([], site), "https://API_HOST/a");
    });
});
