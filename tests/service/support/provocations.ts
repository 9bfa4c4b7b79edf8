import { join } from "node:path";
import { domain, type RequestSettings, type RunningService, withFolder, withServiceOver } from "./running-service.js";
import { type Call, operatorCalls } from "./operator-calls.js";
import { copyingExporter } from "./scripted-exporter.js";

const noKey = { key: null };
const notJson = { body: "x", headers: { "content-type": "text/plain" } };
const badJson = { body: "{", headers: { "content-type": "application/json" } };
const tooLarge = { json: { prompt: "x".repeat(2 * 1024 * 1024) } };
const prompt = { json: { prompt: "Fix typos." } };
/** A key that an earlier request has used, so a request with a different body is refused. */
const usedKey = { "idempotency-key": "used" };
const otherPrompt = { json: { prompt: "Fix links." }, headers: usedKey };

const gitDomain = "guides.example.com";
const goneDomain = "gone.example.com";
const webhookSecret = "webhook-5ecret-of-the-forge";
const options = {
    exporter: copyingExporter,
    projects: { docs: { repository: "https://github.com/acme/docs" } },
    previewDomains: { [gitDomain]: "previews.example.com" },
    webhookSecret,
};

/** Prepares one request for each documented status of every operation. */
export async function provocations(running: RunningService): Promise<Record<string, Record<string, Call>>> {
    const jobId = await running.start();
    await running.reaches(jobId, "completed");
    const link = await running.link(jobId);
    running.service.setFaults(["export:delay=1h,times=1"]);
    const unwanted = `/v1/static-export/jobs/${await running.start()}`;
    await running.request("DELETE", unwanted);
    running.service.setFaults([]);
    const agentJob = await running.request("POST", "/v2/agent/docs/job", prompt);
    const id = String(agentJob.body["id"]);
    const archivedId = String((await running.request("POST", "/v2/agent/docs/job", prompt)).body["id"]);
    await running.request("POST", `/v2/agent/docs/job/${archivedId}/archive`);

    const jobs = "/v1/static-export/jobs";
    const agent = "/v2/agent/docs/job";
    await running.request("POST", jobs, { json: { domain }, headers: usedKey });
    await running.request("POST", agent, { ...prompt, headers: usedKey });
    await running.request("POST", `${agent}/${id}/message`, { ...prompt, headers: usedKey });
    const update = `/v1/project/update/${domain}`;
    // The same domain in upper case counts as a different request.
    await running.request("POST", `/v1/project/update/${domain.toUpperCase()}`, { headers: usedKey });
    const { body: started } = await running.request("POST", update);
    const updateStatus = `/v1/project/update-status/${String(started["statusId"])}`;
    const preview = `/v1/project/preview/${gitDomain}`;
    const branch = { json: { branch: "draft" } };
    await running.request("POST", `/v1/project/preview/${gitDomain.toUpperCase()}`, { ...branch, headers: usedKey });
    const webhook = `/v1/project/webhook/${gitDomain}`;
    const delivery = (settings: RequestSettings): RequestSettings => ({
        ...settings,
        key: null,
        headers: { "x-gitlab-event": "Push Hook", "x-gitlab-token": webhookSecret, ...settings.headers },
    });
    const push = delivery({ json: { ref: "refs/heads/main" } });
    const failing = (path: string, fault: string, settings: RequestSettings = {}) => ({
        path,
        settings,
        faults: [fault],
    });
    const refusedBodies = (path: string) => ({
        400: { path, settings: badJson },
        401: { path, settings: noKey },
        413: { path, settings: tooLarge },
        415: { path, settings: notJson },
    });
    const downloads = {
        200: { path: link, settings: noKey },
        206: { path: link, settings: { ...noKey, headers: { range: "bytes=0-1" } } },
        304: { path: link, settings: { ...noKey, headers: { "if-none-match": "*" } } },
        403: { path: `/bundles/${jobId}.tar.gz`, settings: noKey },
        404: failing(link, "download:status=404", noKey),
        409: failing(link, "download:status=409", noKey),
        416: { path: link, settings: { ...noKey, headers: { range: "bytes=999-" } } },
        500: failing(link, "download:status=500", noKey),
        503: failing(link, "download:status=503", noKey),
    };
    return {
        "post /v1/static-export/jobs": {
            ...refusedBodies(jobs),
            202: { path: jobs, settings: { json: { domain, version: "1", paths: ["/"] } } },
            403: { path: jobs, settings: { json: { domain: "other.example.com" } } },
            422: { path: jobs, settings: { json: { domain, version: "2" }, headers: usedKey } },
            429: failing(jobs, "start:status=429", { json: { domain } }),
            500: failing(jobs, "start:status=500", { json: { domain } }),
            503: failing(jobs, "start:status=503", { json: { domain } }),
        },
        "get /v1/static-export/jobs": {
            200: { path: `${jobs}?domain=${domain}` },
            400: { path: `${jobs}?status=lost` },
            401: { path: `${jobs}?domain=${domain}`, settings: noKey },
            403: { path: `${jobs}?domain=other.example.com` },
            500: failing(`${jobs}?domain=${domain}`, "list:status=500"),
            503: failing(`${jobs}?domain=${domain}`, "list:status=503"),
        },
        "get /v1/static-export/jobs/{jobId}": {
            200: { path: `${jobs}/${jobId}` },
            401: { path: `${jobs}/${jobId}`, settings: noKey },
            404: { path: `${jobs}/se_42` },
            500: failing(`${jobs}/${jobId}`, "get:status=500"),
            403: failing(`${jobs}/${jobId}`, "get:status=403"),
            503: failing(`${jobs}/${jobId}`, "get:status=503"),
        },
        "delete /v1/static-export/jobs/{jobId}": {
            200: { path: unwanted },
            400: { path: `${unwanted}?reason=${"x".repeat(301)}` },
            401: { path: unwanted, settings: noKey },
            403: failing(unwanted, "cancel:status=403"),
            404: { path: `${jobs}/se_42` },
            409: { path: `${jobs}/${jobId}` },
            500: failing(unwanted, "cancel:status=500"),
            503: failing(unwanted, "cancel:status=503"),
        },
        "post /v1/static-export/jobs/{jobId}/bundle": {
            ...refusedBodies(`${jobs}/${jobId}/bundle`),
            200: { path: `${jobs}/${jobId}/bundle` },
            404: { path: `${jobs}/se_42/bundle` },
            409: failing(`${jobs}/${jobId}/bundle`, "bundle:status=409"),
            500: failing(`${jobs}/${jobId}/bundle`, "bundle:status=500"),
            403: failing(`${jobs}/${jobId}/bundle`, "bundle:status=403"),
            503: failing(`${jobs}/${jobId}/bundle`, "bundle:status=503"),
        },
        "post /v2/agent/{projectId}/job": {
            ...refusedBodies(agent),
            201: { path: agent, settings: prompt },
            404: { path: "/v2/agent/nobody/job", settings: prompt },
            422: { path: agent, settings: otherPrompt },
            429: failing(agent, "agent-start:status=429", prompt),
            500: failing(agent, "agent-start:status=500", prompt),
            403: failing(agent, "agent-start:status=403", prompt),
            503: failing(agent, "agent-start:status=503", prompt),
        },
        "get /v2/agent/{projectId}/job/{id}": {
            200: { path: `${agent}/${id}` },
            401: { path: `${agent}/${id}`, settings: noKey },
            404: { path: `${agent}/aj_42` },
            500: failing(`${agent}/${id}`, "agent-get:status=500"),
            403: failing(`${agent}/${id}`, "agent-get:status=403"),
            503: failing(`${agent}/${id}`, "agent-get:status=503"),
        },
        "post /v2/agent/{projectId}/job/{id}/message": {
            ...refusedBodies(`${agent}/${id}/message`),
            200: { path: `${agent}/${id}/message`, settings: prompt },
            404: { path: `${agent}/aj_42/message`, settings: prompt },
            409: { path: `${agent}/${archivedId}/message`, settings: prompt },
            422: { path: `${agent}/${id}/message`, settings: otherPrompt },
            429: failing(`${agent}/${id}/message`, "agent-message:status=429", prompt),
            500: failing(`${agent}/${id}/message`, "agent-message:status=500", prompt),
            403: failing(`${agent}/${id}/message`, "agent-message:status=403", prompt),
            503: failing(`${agent}/${id}/message`, "agent-message:status=503", prompt),
        },
        "post /v2/agent/{projectId}/job/{id}/archive": {
            ...refusedBodies(`${agent}/${archivedId}/archive`),
            200: { path: `${agent}/${archivedId}/archive` },
            404: { path: `${agent}/aj_42/archive` },
            500: failing(`${agent}/${id}/archive`, "agent-archive:status=500"),
            403: failing(`${agent}/${id}/archive`, "agent-archive:status=403"),
            503: failing(`${agent}/${id}/archive`, "agent-archive:status=503"),
        },
        "post /v1/project/update/{project}": {
            ...refusedBodies(update),
            202: { path: update },
            403: failing(update, "update:status=403"),
            404: { path: "/v1/project/update/nobody" },
            422: { path: update, settings: { headers: usedKey } },
            429: failing(update, "update:status=429"),
            500: failing(update, "update:status=500"),
            503: failing(update, "update:status=503"),
        },
        "get /v1/project/update-status/{statusId}": {
            200: { path: updateStatus },
            401: { path: updateStatus, settings: noKey },
            403: failing(updateStatus, "update-get:status=403"),
            404: { path: "/v1/project/update-status/du_42" },
            500: failing(updateStatus, "update-get:status=500"),
            503: failing(updateStatus, "update-get:status=503"),
        },
        "post /v1/project/preview/{project}": {
            ...refusedBodies(preview),
            202: { path: preview, settings: branch },
            403: { path: `/v1/project/preview/${domain}`, settings: branch },
            404: { path: "/v1/project/preview/nobody", settings: branch },
            422: { path: preview, settings: { ...branch, headers: usedKey } },
            429: failing(preview, "update-preview:status=429", branch),
            500: failing(preview, "update-preview:status=500", branch),
            503: failing(preview, "update-preview:status=503", branch),
        },
        "post /v1/project/webhook/{project}": {
            200: { path: webhook, settings: delivery({ json: { ref: "refs/heads/draft" } }) },
            202: { path: webhook, settings: push },
            400: { path: webhook, settings: delivery(badJson) },
            401: { path: webhook, settings: { ...noKey, json: {} } },
            403: failing(webhook, "update-webhook:status=403", push),
            404: { path: "/v1/project/webhook/nobody", settings: push },
            413: { path: webhook, settings: delivery({ json: { text: "x".repeat(6 * 1024 * 1024) } }) },
            415: { path: webhook, settings: delivery(notJson) },
            429: failing(webhook, "update-webhook:status=429", push),
            500: failing(webhook, "update-webhook:status=500", push),
            503: failing(webhook, "update-webhook:status=503", push),
        },
        ...(await operatorCalls(running, { jobId, id, goneDomain })),
        "get /bundles/{file}": downloads,
        "head /bundles/{file}": downloads,
    };
}

/** Runs a service that can return every documented status. */
export async function withEveryRoute(use: (running: RunningService) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const sites = { [domain]: join(folder, "site"), [gitDomain]: `git+file://${folder}/missing.git#main` };
        const earlier = { ...sites, [goneDomain]: join(folder, "site") };
        await withServiceOver(folder, { ...options, sites: earlier }, async ({ start, request }) => {
            const jobId = await start({ domain: goneDomain });
            await request("DELETE", `/v1/static-export/jobs/${jobId}`);
        });
        await withServiceOver(folder, { ...options, sites }, use);
    });
}
