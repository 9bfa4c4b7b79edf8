import assert from "node:assert/strict";
import { Check } from "typebox/schema";
import { provocations, withEveryRoute } from "../support/provocations.js";
import { type Answer, type RunningService } from "../support/running-service.js";

interface Document {
    openapi: string;
    servers: { url: string }[];
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, object> };
}

interface Operation {
    security?: object[];
    requestBody?: { content: Record<string, { schema: object }> };
    responses: Record<
        string,
        { headers?: Record<string, object>; content?: Record<string, { schema: { $ref?: string } }> }
    >;
}

function operationsOf(document: Document): [string, Operation][] {
    return Object.entries(document.paths).flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
    );
}

async function withDocument(use: (document: Document, running: RunningService) => Promise<void>): Promise<void> {
    await withEveryRoute(async (running) => {
        const { body } = await running.request("GET", "/openapi.json", { key: null });
        await use(body as unknown as Document, running);
    });
}

describe("The OpenAPI document", () => {
    it("names every operation of the contract, the bundle download, and this service as the server", async () => {
        await withDocument(async (document, { service }) => {
            assert.equal(document.openapi, "3.1.0");
            assert.deepEqual(document.servers, [{ url: service.url }]);
            assert.deepEqual(
                operationsOf(document)
                    .map(([name]) => name)
                    .sort(),
                [
                    "delete /v1/keys/{keyId}",
                    "delete /v1/sessions/{sessionId}",
                    "delete /v1/sites/{domain}",
                    "delete /v1/static-export/jobs/{jobId}",
                    "get /bundles/{file}",
                    "get /v1/audit",
                    "get /v1/failures",
                    "get /v1/keys",
                    "get /v1/keys/{keyId}",
                    "get /v1/keys/{keyId}/created",
                    "get /v1/project/update-status/{statusId}",
                    "get /v1/project/updates",
                    "get /v1/service",
                    "get /v1/sessions",
                    "get /v1/sites",
                    "get /v1/sites/{domain}",
                    "get /v1/static-export/jobs",
                    "get /v1/static-export/jobs/{jobId}",
                    "get /v1/static-export/jobs/{jobId}/changes",
                    "get /v1/static-export/jobs/{jobId}/details",
                    "get /v1/statistics",
                    "get /v1/usage",
                    "get /v1/whoami",
                    "get /v1/workers",
                    "get /v2/agent/jobs",
                    "get /v2/agent/{projectId}/job/{id}",
                    "get /v2/agent/{projectId}/job/{id}/log",
                    "head /bundles/{file}",
                    "patch /v1/keys/{keyId}",
                    "post /v1/keys",
                    "post /v1/keys/{keyId}/rotate",
                    "post /v1/link-secret/rotate",
                    "post /v1/project/preview/{project}",
                    "post /v1/project/update/{project}",
                    "post /v1/project/webhook/{project}",
                    "post /v1/static-export/jobs",
                    "post /v1/static-export/jobs/{jobId}/bundle",
                    "post /v2/agent/{projectId}/job",
                    "post /v2/agent/{projectId}/job/{id}/archive",
                    "post /v2/agent/{projectId}/job/{id}/message",
                ],
            );
            return Promise.resolve();
        });
    });

    it("requires the admin API key everywhere except for downloads and webhooks", async () => {
        await withDocument(async (document) => {
            for (const [name, { security }] of operationsOf(document)) {
                const ofWebhooks = [{ forgeSignature: [] }, { forgeToken: [] }];
                const expected = name.includes("/webhook/") ? ofWebhooks : [{ adminApiKey: [] }];
                assert.deepEqual(security, name.includes("/bundles/") ? undefined : expected, name);
            }
            return Promise.resolve();
        });
    });

    it("describes the idempotency headers for every request that may carry a key", async () => {
        await withDocument(async (document) => {
            const told = operationsOf(document).flatMap(([name, { responses }]) =>
                Object.entries(responses).flatMap(([status, { headers = {} }]) =>
                    Object.keys(headers).length > 0 ? [[`${name} ${status}`, Object.keys(headers)]] : [],
                ),
            );
            const headers = ["Idempotency-Key-Max-Age", "Idempotency-Replayed"];
            assert.deepEqual(told.sort(), [
                ["delete /v1/keys/{keyId} 200", headers],
                ["patch /v1/keys/{keyId} 200", headers],
                ["post /v1/project/preview/{project} 202", headers],
                ["post /v1/project/update/{project} 202", headers],
                ["post /v1/static-export/jobs 202", headers],
                ["post /v2/agent/{projectId}/job 201", headers],
                ["post /v2/agent/{projectId}/job/{id}/message 200", headers],
            ]);
            return Promise.resolve();
        });
    });

    it("matches the service: every documented status of every operation occurs with the documented body", async () => {
        await withDocument(async (document, running) => {
            const calls = await provocations(running);
            for (const [name, { responses }] of operationsOf(document)) {
                assert.deepEqual(Object.keys(calls[name] ?? {}).sort(), Object.keys(responses).sort(), name);
                for (const [status, { path, settings, faults = [] }] of Object.entries(calls[name] ?? {})) {
                    running.service.setFaults(faults);
                    const answer = await running.request(name.split(" ")[0]?.toUpperCase() ?? "", path, settings);
                    assert.equal(answer.status, Number(status), `${name} ${status}: ${answer.text}`);
                    assertDocumented(document, `${name} ${status}`, answer, responses[status]?.content);
                }
            }
        });
    });
});

function assertDocumented(
    { components }: Document,
    name: string,
    answer: Answer,
    content: Record<string, { schema: { $ref?: string } }> | undefined,
): void {
    if (content === undefined || name.startsWith("head ")) {
        assert.equal(answer.text, "", name);
        return;
    }
    const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
    assert.ok(content[type], `${name}: ${type} is not documented`);
    const shared = content[type].schema.$ref?.replace("#/components/schemas/", "");
    if (shared !== undefined) {
        assert.ok(Check(components.schemas[shared] ?? {}, answer.body), `${name}: ${answer.text} is no ${shared}`);
    }
}
