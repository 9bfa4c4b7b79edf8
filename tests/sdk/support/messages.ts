import assert from "node:assert/strict";
import {
    type AdminClient,
    type AdminClientOptions,
    downloadBundle,
    type DownloadBundleOptions,
} from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "./client.js";
import { FakeClock } from "../../fake-clock.js";

type Fetch = NonNullable<AdminClientOptions["fetch"]>;
type Call = (client: AdminClient) => Promise<unknown>;

const domain = "docs.example.com";
export const start: Call = (client) => client.staticExports.start({ domain });
export const get: Call = (client) => client.staticExports.get("se_42", { domain });
export const bundle: Call = (client) => client.staticExports.createBundle("se_42", { domain });
export const wait: Call = (client) => client.staticExports.pollUntilDone("se_42", { domain, timeoutMs: 90_000 });
export const getAgentJob: Call = (client) => client.agentJobs.get("p1", "aj_7");
export const createAgentJob: Call = (client) => client.agentJobs.create("p1", { prompt: "go" });
export const waitForAgentJob: Call = (client) =>
    client.agentJobs.pollUntilDone("p1", "aj_7", { timeoutMs: 90_000, rejectFailed: true });
export const download: Call = () => {
    throw new Error("the client has no downloads");
};

export const answer =
    (status: number, error?: string, headers: Record<string, string> = {}): Fetch =>
    () =>
        Promise.resolve(new Response(error === undefined ? "" : JSON.stringify({ error }), { status, headers }));
export const fail =
    (code: string, syscall = "connect"): Fetch =>
    () =>
        Promise.reject(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }));
export const job =
    (fields: object): Fetch =>
    () =>
        Promise.resolve(Response.json(fields));
export const hang: Fetch = () => new Promise(() => undefined);
export const agentJob = { id: "aj_7", source: { repository: "r" }, model: "m", createdAt: "2026-11-20T12:00:00Z" };

const api = "https://api.example.com/admin";
const jobs = "/v1/static-export/jobs";
/** The beginning of the messages for a call, and the request after the failure. */
const places = new Map<Call, readonly [subject: string, request: string]>([
    [start, ["Export of docs.example.com", `POST ${jobs} at ${api}`]],
    [get, ["Export job se_42 of docs.example.com", `GET ${jobs}/se_42 at ${api}`]],
    [wait, ["Export job se_42 of docs.example.com", `GET ${jobs}/se_42 at ${api}`]],
    [bundle, ["Export job se_42 of docs.example.com", `POST ${jobs}/se_42/bundle at ${api}`]],
    [getAgentJob, ["Agent job aj_7 of project p1", `GET /v2/agent/p1/job/aj_7 at ${api}`]],
    [waitForAgentJob, ["Agent job aj_7 of project p1", `GET /v2/agent/p1/job/aj_7 at ${api}`]],
    [createAgentJob, ["Agent job of project p1", `POST /v2/agent/p1/job at ${api}`]],
    [download, ["Bundle download", "GET bundle at https://bucket.example.com/se_42.tar.gz"]],
]);

/** The message of an error for a call: the failure and the next step, or the whole message. */
type MessageCase = [when: string, call: Call, fetch: Fetch, failure: string, remedy?: string];

async function messageOf(call: Call, fetch: Fetch): Promise<string> {
    if (call === download) {
        const options: DownloadBundleOptions = {
            fetch,
            clock: new FakeClock("2026-11-20T00:00:00Z"),
            idleTimeoutMs: 20,
        };
        const link = "https://bucket.example.com/se_42.tar.gz?X-Amz-Signature=5ignature";
        return (await rejectionOf(downloadBundle(link, "never-made", options))).message;
    }
    const { client } = createTestClient(api, { fetch, requestTimeoutMs: 20 });
    return (await rejectionOf(call(client))).message;
}

export function specifyMessages(cases: readonly MessageCase[]): void {
    for (const [when, call, fetch, failure, remedy] of cases) {
        it(`for ${when}`, async () => {
            const [subject, request] = places.get(call) ?? [];
            const message = remedy === undefined ? failure : `${subject}${failure} (${request}). ${remedy}`;
            assert.equal(await messageOf(call, fetch), message);
        });
    }
}
