import assert from "node:assert/strict";
import { signIn } from "../dashboard/support/viewer.js";
import { adminApiKey, domain, type RequestSettings, type RunningService } from "./running-service.js";

export interface Call {
    path: string;
    settings?: RequestSettings;
    faults?: string[];
}

const notJson = { body: "x", headers: { "content-type": "text/plain" } };
const badJson = { body: "{", headers: { "content-type": "application/json" } };
const tooLarge = { json: { name: "x".repeat(2 * 1024 * 1024) } };

/** Prepares one request for each documented status of the operations that this service adds for operators. */
export async function operatorCalls(
    { request, service }: RunningService,
    { jobId, id, goneDomain }: { jobId: string; id: string; goneDomain: string },
): Promise<Record<string, Record<string, Call>>> {
    const make = async (name: string): Promise<string> => {
        const { body, text } = await request("POST", "/v1/keys", { json: { name, scopes: ["read"] } });
        assert.ok(body["key"], text);
        return (body["key"] as { id: string }).id;
    };
    const rotate = `/v1/keys/${await make("rotated")}/rotate`;
    const change = `/v1/keys/${await make("changed")}`;
    const revoke = await make("revoked");
    const gone = `/v1/keys/${await make("gone")}`;
    /** A key that an earlier request has used, so a request with a different body or query is refused. */
    const headers = { "idempotency-key": "used" };
    await request("PATCH", change, { json: { scopes: ["read"] }, headers });
    await request("DELETE", gone, { headers });
    await signIn({ service }, adminApiKey);
    const { body: listed } = await request("GET", "/v1/sessions");
    const session = (listed["sessions"] as { id: string }[])[0]?.id ?? "";
    const key = (name: string) => ({ json: { name, scopes: ["read"] } });
    const reading = (path: string, fault: string, others: Record<number, Call> = {}) => ({
        200: { path },
        401: { path, settings: { key: null } },
        403: { path, faults: [`${fault}:status=403`] },
        500: { path, faults: [`${fault}:status=500`] },
        503: { path, faults: [`${fault}:status=503`] },
        ...others,
    });
    const changing = (path: string, fault: string, settings: RequestSettings, others: Record<number, Call>) => ({
        400: { path, settings: badJson },
        401: { path, settings: { key: null } },
        403: { path, settings, faults: [`${fault}:status=403`] },
        413: { path, settings: tooLarge },
        415: { path, settings: notJson },
        500: { path, settings, faults: [`${fault}:status=500`] },
        503: { path, settings, faults: [`${fault}:status=503`] },
        ...others,
    });
    return {
        "get /v1/whoami": reading("/v1/whoami", "whoami"),
        "get /v1/sites": reading("/v1/sites", "sites", { 400: { path: "/v1/sites?state=odd" } }),
        "get /v1/sites/{domain}": reading(`/v1/sites/${domain}`, "site", {
            404: { path: "/v1/sites/other.example.com" },
        }),
        "delete /v1/sites/{domain}": reading(`/v1/sites/${goneDomain}`, "site-remove", {
            404: { path: "/v1/sites/unknown.example.com" },
            409: { path: `/v1/sites/${domain}` },
        }),
        "get /v1/static-export/jobs/{jobId}/details": reading(`/v1/static-export/jobs/${jobId}/details`, "details", {
            404: { path: "/v1/static-export/jobs/se_42/details" },
        }),
        "get /v1/static-export/jobs/{jobId}/changes": reading(`/v1/static-export/jobs/${jobId}/changes`, "changes", {
            404: { path: "/v1/static-export/jobs/se_42/changes" },
            409: { path: `/v1/static-export/jobs/${jobId}/changes`, faults: ["changes:status=409"] },
            429: { path: `/v1/static-export/jobs/${jobId}/changes`, faults: ["changes:status=429"] },
        }),
        "get /v1/project/updates": reading("/v1/project/updates", "update-list", {
            400: { path: "/v1/project/updates?limit=0" },
        }),
        "get /v1/workers": reading("/v1/workers", "workers"),
        "get /v1/usage": reading("/v1/usage", "usage", { 400: { path: `/v1/usage?domain=${"x".repeat(254)}` } }),
        "get /v1/statistics": reading("/v1/statistics", "statistics", { 400: { path: "/v1/statistics?days=91" } }),
        "get /v1/failures": reading("/v1/failures", "failures", { 400: { path: "/v1/failures?days=0" } }),
        "get /v1/sessions": reading("/v1/sessions", "session-list", { 400: { path: "/v1/sessions?limit=0" } }),
        "delete /v1/sessions/{sessionId}": reading(`/v1/sessions/${session}`, "session-end", {
            404: { path: "/v1/sessions/ss_42" },
        }),
        "get /v1/audit": reading("/v1/audit", "audit", { 400: { path: "/v1/audit?cursor=x" } }),
        "get /v1/service": reading("/v1/service", "service"),
        "get /v2/agent/jobs": reading("/v2/agent/jobs", "agent-list", { 400: { path: "/v2/agent/jobs?cursor=x" } }),
        "get /v2/agent/{projectId}/job/{id}/log": reading(`/v2/agent/docs/job/${id}/log`, "agent-log", {
            400: { path: `/v2/agent/docs/job/${id}/log?from=x` },
            404: { path: "/v2/agent/docs/job/aj_42/log" },
        }),
        "get /v1/keys": reading("/v1/keys", "key-list", { 400: { path: "/v1/keys?limit=0" } }),
        "get /v1/keys/{keyId}": reading(change, "key-get", { 404: { path: "/v1/keys/ak_42" } }),
        "get /v1/keys/{keyId}/created": reading(`${change}/created`, "key-created", {
            400: { path: `${change}/created?limit=0` },
            404: { path: "/v1/keys/ak_42/created" },
        }),
        "post /v1/keys": changing("/v1/keys", "key-create", key("new"), {
            201: { path: "/v1/keys", settings: key("new") },
            409: { path: "/v1/keys", settings: key("rotated") },
        }),
        "patch /v1/keys/{keyId}": changing(
            change,
            "key-change",
            { json: { scopes: ["read"] } },
            {
                200: { path: change, settings: { json: { scopes: ["read", "export"] } } },
                404: { path: "/v1/keys/ak_42", settings: { json: { scopes: ["read"] } } },
                409: { path: change, settings: { json: { scopes: ["export"], projects: ["docs"] } } },
                422: { path: change, settings: { json: { scopes: ["export"] }, headers } },
            },
        ),
        "post /v1/keys/{keyId}/rotate": changing(
            rotate,
            "key-rotate",
            {},
            {
                200: { path: `${rotate}?graceSeconds=60` },
                404: { path: "/v1/keys/ak_42/rotate" },
            },
        ),
        "post /v1/link-secret/rotate": changing(
            "/v1/link-secret/rotate",
            "link-secret-rotate",
            {},
            {
                200: { path: "/v1/link-secret/rotate" },
            },
        ),
        "delete /v1/keys/{keyId}": reading(`/v1/keys/${revoke}`, "key-revoke", {
            400: { path: `/v1/keys/${revoke}?created=no` },
            404: { path: "/v1/keys/ak_42" },
            422: { path: `${gone}?created=true`, settings: { headers } },
        }),
    };
}
