import assert from "node:assert/strict";
import { waitUntil } from "../../wait-until.js";
import { domain, type RunningService } from "./running-service.js";

/** Starts a documentation update. @returns its id */
export async function startUpdate({ request }: RunningService, project = domain, headers = {}): Promise<string> {
    const { status, body, text } = await request("POST", `/v1/project/update/${project}`, { headers });
    assert.equal(status, 202, text);
    return String(body["statusId"]);
}

/** Polls until an update has ended. @returns its status */
export async function updateEnd({ request }: RunningService, statusId: string): Promise<Record<string, unknown>> {
    return waitUntil(`update ${statusId} has ended`, async () => {
        const { body } = await request("GET", `/v1/project/update-status/${statusId}`);
        return body["endedAt"] === undefined ? undefined : body;
    });
}

/** Exports a domain. @returns the commit and the bundle's text, which a copying exporter takes from `index.md` */
export async function exportNow(running: RunningService, of = domain): Promise<{ sourceRef: unknown; text: string }> {
    const jobId = await running.start({ domain: of });
    const { sourceRef } = await running.reaches(jobId, "completed");
    return { sourceRef, text: (await running.request("GET", await running.link(jobId), { key: null })).text };
}
