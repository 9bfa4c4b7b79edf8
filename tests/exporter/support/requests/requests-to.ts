import assert from "node:assert/strict";
import { type ApiOperation, readApiDocument } from "../../../../exporter/src/api/openapi/api-document.js";
import { exampleRequest } from "../../../../exporter/src/api/openapi/operation-request.js";
import { type ApiRequest } from "../../../../exporter/src/api/openapi/request.js";
import { securitySchemes, sentOperations } from "./sent-operations.js";

/** The requests of all operations, each to its own address on the server. */
export function requestsTo(address: string): { name: string; operation: ApiOperation; request: ApiRequest }[] {
    return sentOperations.map(({ name, method = "get", path = "/a", node }, at) => {
        const given = { responses: {}, ...node, servers: [{ url: `${address}/${at}` }] };
        const root = { openapi: "3.1.0", components: { securitySchemes }, paths: { [path]: { [method]: given } } };
        const document = { file: "a", digest: "", isPrivate: false, privateModels: new Set<string>(), root };
        const [operation] = readApiDocument(document)?.subjects ?? [];
        assert.ok(operation);
        return { name, operation, request: exampleRequest(operation, {}) };
    });
}
