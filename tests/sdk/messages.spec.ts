import assert from "node:assert/strict";
import {
    type AdminClient,
    type AdminClientOptions,
    downloadBundle,
    type DownloadBundleOptions,
} from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "./support/client.js";
import { createFakeClock } from "./support/fake-clock.js";

type Fetch = NonNullable<AdminClientOptions["fetch"]>;
type Call = (client: AdminClient) => Promise<unknown>;

const domain = "docs.example.com";
const start: Call = (client) => client.staticExports.start({ domain });
const get: Call = (client) => client.staticExports.get("se_42", { domain });
const bundle: Call = (client) => client.staticExports.createBundle("se_42", { domain });
const wait: Call = (client) => client.staticExports.pollUntilDone("se_42", { domain, timeoutMs: 90_000 });
const getAgentJob: Call = (client) => client.agentJobs.get("p1", "aj_7");
const createAgentJob: Call = (client) => client.agentJobs.create("p1", { prompt: "go" });
const waitForAgentJob: Call = (client) => client.agentJobs.pollUntilDone("p1", "aj_7", { timeoutMs: 90_000 });
const download: Call = () => {
    throw new Error("the client has no downloads");
};

const answer =
    (status: number, error?: string): Fetch =>
    () =>
        Promise.resolve(new Response(error === undefined ? "" : JSON.stringify({ error }), { status }));
const fail =
    (code: string, syscall = "connect"): Fetch =>
    () =>
        Promise.reject(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }));
const job = (fields: object): Fetch => () => Promise.resolve(Response.json(fields));
const hang: Fetch = () => new Promise(() => undefined);
const agentJob = { id: "aj_7", source: { repository: "r" }, model: "m", createdAt: "2026-11-20T12:00:00Z" };

/** What happened, for which domain and job, in which call, and what to do next. */
const messages: [string, Call, Fetch, string][] = [
    [
        "400 on a start",
        start,
        answer(400, "domain is not a host name"),
        'Export of docs.example.com: the server answered 400 Bad Request: "domain is not a host name" (POST ' +
            "/v1/static-export/jobs at https://api.example.com/admin). Check the domain (a host name only: no " +
            "scheme, port, path or trailing slash), version and paths.",
    ],
    [
        "401",
        get,
        answer(401, "invalid key"),
        'Export job se_42 of docs.example.com: the server answered 401 Unauthorized: "invalid key" (GET ' +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). The admin API key was not accepted: " +
            "it is wrong, expired or rotated. Create a new admin API key on the API keys page of the dashboard " +
            "and set it as adminApiKey.",
    ],
    [
        "403 on a start",
        start,
        answer(403, "static export is not enabled"),
        'Export of docs.example.com: the server answered 403 Forbidden: "static export is not enabled" (POST ' +
            "/v1/static-export/jobs at https://api.example.com/admin). Static export needs an enterprise plan and" +
            " must be enabled for the organisation: ask the platform to enable it, and check that the key belongs" +
            " to that organisation.",
    ],
    [
        "404",
        get,
        answer(404, "job not found"),
        'Export job se_42 of docs.example.com: the server answered 404 Not Found: "job not found" (GET ' +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). Check the job id and that the base " +
            "address is the one that started the job; a job that is gone must be started anew.",
    ],
    [
        "409 on a bundle",
        bundle,
        answer(409, "job has not finished"),
        'Export job se_42 of docs.example.com: the server answered 409 Conflict: "job has not finished" (POST' +
            " /v1/static-export/jobs/se_42/bundle at https://api.example.com/admin). The job has not finished: " +
            "wait until its status is completed, then ask for the bundle again.",
    ],
    [
        "429",
        get,
        answer(429, "slow down"),
        'Export job se_42 of docs.example.com: the server answered 429 Too Many Requests: "slow down" (GET ' +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). The server limits how often it is " +
            "asked: wait, or run fewer exports at once, and try again.",
    ],
    [
        "500 without an error body",
        get,
        answer(500),
        "Export job se_42 of docs.example.com: the server answered 500 Internal Server Error (GET " +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). The server is in trouble: try again " +
            "later. What was started goes on, and is not started twice.",
    ],
    [
        "503",
        bundle,
        answer(503, "maintenance"),
        'Export job se_42 of docs.example.com: the server answered 503 Service Unavailable: "maintenance" ' +
            "(POST /v1/static-export/jobs/se_42/bundle at https://api.example.com/admin). The server is in " +
            "trouble: try again later. What was started goes on, and is not started twice.",
    ],
    [
        "a status that nobody knows",
        get,
        answer(418),
        "Export job se_42 of docs.example.com: the server answered 418 I'm a Teapot (GET " +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). Check baseUrl and the version of " +
            "this package against the server's API.",
    ],
    [
        "a redirect to another origin",
        get,
        () => Promise.resolve(new Response("", { status: 302, headers: { location: "https://b.example.com/" } })),
        "Export job se_42 of docs.example.com: the server answered 302 Found (GET " +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). Set baseUrl to the address the " +
            "server really has: the key is not sent along to another one.",
    ],
    [
        "a name that cannot be resolved",
        get,
        fail("ENOTFOUND", "getaddrinfo"),
        "Export job se_42 of docs.example.com: the host name could not be resolved, ENOTFOUND (GET " +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). Check the host name for typing " +
            "errors, and that this machine's DNS can resolve it.",
    ],
    [
        "a refused connection",
        get,
        fail("ECONNREFUSED"),
        "Export job se_42 of docs.example.com: the connection was refused, ECONNREFUSED (GET " +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). Check host and port, and that the " +
            "service is running.",
    ],
    [
        "an address that cannot be reached",
        get,
        fail("EHOSTUNREACH"),
        "Export job se_42 of docs.example.com: the address could not be reached, EHOSTUNREACH (GET " +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). Check the network, VPN and firewall " +
            "between this machine and the server.",
    ],
    [
        "a certificate that is not trusted",
        start,
        fail("SELF_SIGNED_CERT_IN_CHAIN"),
        "Export of docs.example.com: no trusted TLS connection could be made, SELF_SIGNED_CERT_IN_CHAIN (POST" +
            " /v1/static-export/jobs at https://api.example.com/admin). Check the clock of this machine and that " +
            "it trusts the server's certificate (NODE_EXTRA_CA_CERTS for a private authority).",
    ],
    [
        "a lost connection",
        get,
        fail("ECONNRESET", "read"),
        "Export job se_42 of docs.example.com: the connection was lost before the answer was complete, " +
            "ECONNRESET (GET /v1/static-export/jobs/se_42 at https://api.example.com/admin). Check proxies " +
            "between this machine and the server, and try again.",
    ],
    [
        "a server that does not speak HTTP",
        get,
        fail("HPE_INVALID_CONSTANT", "read"),
        "Export job se_42 of docs.example.com: what answered does not speak HTTP, HPE_INVALID_CONSTANT (GET " +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). Check scheme and port of the " +
            "address.",
    ],
    [
        "a request that timed out",
        get,
        hang,
        "Export job se_42 of docs.example.com: no complete answer within 20 ms (GET " +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). Check that the server is well and " +
            "reachable, or allow it more time with requestTimeoutMs.",
    ],
    [
        "an answer that breaks the contract",
        get,
        job({ jobId: "se_42" }),
        'Export job se_42 of docs.example.com: the server answered 200, but "status" must be a non-empty ' +
            "string, got nothing (GET /v1/static-export/jobs/se_42 at https://api.example.com/admin). Check that " +
            "baseUrl is the address of the admin API, and not of a login page or a proxy.",
    ],
    [
        "a page instead of an answer",
        get,
        () => Promise.resolve(new Response("<html>")),
        "Export job se_42 of docs.example.com: the server answered 200, but the answer is an HTML page, not " +
            "JSON (GET /v1/static-export/jobs/se_42 at https://api.example.com/admin). Check that baseUrl is the " +
            "address of the admin API, and not of a login page or a proxy.",
    ],
    [
        "a start that may have worked: 502",
        start,
        answer(502),
        "Export of docs.example.com: the server answered 502 Bad Gateway; an export job may or may not have " +
            "been started, and the request was not repeated (POST /v1/static-export/jobs at " +
            "https://api.example.com/admin). Look in the dashboard or the server's log for a job of this domain: " +
            "if there is one, adopt it by setting its jobId; if there is none, start again.",
    ],
    [
        "a start that may have worked: a lost connection",
        start,
        fail("ECONNRESET", "read"),
        "Export of docs.example.com: the connection was lost before the answer was complete, ECONNRESET; an " +
            "export job may or may not have been started, and the request was not repeated (POST " +
            "/v1/static-export/jobs at https://api.example.com/admin). Look in the dashboard or the server's log " +
            "for a job of this domain: if there is one, adopt it by setting its jobId; if there is none, start " +
            "again.",
    ],
    [
        "a start that may have worked: an answer without the id",
        start,
        job({}),
        'Export of docs.example.com: the server answered 200, but "jobId" must be a non-empty string, got ' +
            "nothing; an export job may or may not have been started, and the request was not repeated (POST " +
            "/v1/static-export/jobs at https://api.example.com/admin). Look in the dashboard or the server's log " +
            "for a job of this domain: if there is one, adopt it by setting its jobId; if there is none, start " +
            "again.",
    ],
    [
        "a failed job",
        wait,
        job({ status: "failed", error: "quota exceeded" }),
        "Export job se_42 of docs.example.com failed: quota exceeded (GET /v1/static-export/jobs/se_42 at " +
            "https://api.example.com/admin). Correct the reason, then start a new export: a failed job cannot be " +
            "resumed.",
    ],
    [
        "a failed job that gives no reason",
        wait,
        job({ status: "failed" }),
        "Export job se_42 of docs.example.com failed: the API gives no reason (GET " +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). Look for the reason in the " +
            "dashboard, then start a new export: a failed job cannot be resumed.",
    ],
    [
        "a job that is not done at the deadline",
        wait,
        job({ status: "running" }),
        'Export job se_42 of docs.example.com was not done after 90 s; its last status was "running" (GET ' +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). The job goes on: wait again with its" +
            " jobId (or a longer timeout); no new export is needed.",
    ],
    [
        "a job whose status was never seen",
        wait,
        answer(503),
        "Export job se_42 of docs.example.com was not done after 90 s; its status was never seen, and the " +
            "last poll failed: the server answered 503 Service Unavailable (GET /v1/static-export/jobs/se_42 at " +
            "https://api.example.com/admin). The job goes on: wait again with its jobId (or a longer timeout); no" +
            " new export is needed.",
    ],
    [
        "a key that is rotated during the wait",
        wait,
        answer(401),
        "Export job se_42 of docs.example.com: the server answered 401 Unauthorized (GET " +
            "/v1/static-export/jobs/se_42 at https://api.example.com/admin). The admin API key was not accepted: " +
            "it is wrong, expired or rotated. Create a new admin API key on the API keys page of the dashboard " +
            "and set it as adminApiKey.",
    ],
    [
        "403 on an agent job",
        getAgentJob,
        answer(403),
        "Agent job aj_7 of project p1: the server answered 403 Forbidden (GET /v2/agent/p1/job/aj_7 at " +
            "https://api.example.com/admin). The key may not use agent jobs of this project: check the project id" +
            " and that the key belongs to its organisation.",
    ],
    [
        "404 on an agent job",
        getAgentJob,
        answer(404, "job not found"),
        'Agent job aj_7 of project p1: the server answered 404 Not Found: "job not found" (GET ' +
            "/v2/agent/p1/job/aj_7 at https://api.example.com/admin). Check the project id (API keys page of the " +
            "dashboard) and the job id.",
    ],
    [
        "400 on an agent job",
        createAgentJob,
        answer(400, "prompt is required"),
        'Agent job of project p1: the server answered 400 Bad Request: "prompt is required" (POST ' +
            "/v2/agent/p1/job at https://api.example.com/admin). Check the prompt: at least 1 character.",
    ],
    [
        "an agent job that may have been created",
        createAgentJob,
        answer(500),
        "Agent job of project p1: the server answered 500 Internal Server Error; the agent may or may not " +
            "have got the prompt, and the request was not repeated (POST /v2/agent/p1/job at " +
            "https://api.example.com/admin). Look in the dashboard whether the agent works on the prompt before " +
            "you send it again.",
    ],
    [
        "a failed agent job",
        waitForAgentJob,
        job({ ...agentJob, status: "failed" }),
        "Agent job aj_7 of project p1 failed: the API gives no reason (GET /v2/agent/p1/job/aj_7 at " +
            "https://api.example.com/admin). Look for the reason in the dashboard, then create a new agent job: a" +
            " failed one cannot be resumed.",
    ],
    [
        "an agent job that is not done at the deadline",
        waitForAgentJob,
        job({ ...agentJob, status: "active" }),
        'Agent job aj_7 of project p1 was not done after 90 s; its last status was "active" (GET ' +
            "/v2/agent/p1/job/aj_7 at https://api.example.com/admin). The job goes on: wait again with its id (or" +
            " a longer timeout); no new agent job is needed.",
    ],
    [
        "a link that has expired",
        download,
        answer(403),
        "Bundle download: the server answered 403 Forbidden (GET bundle at " +
            "https://bucket.example.com/se_42.tar.gz). The link has expired or was altered: ask for a fresh one " +
            "(POST …/jobs/{jobId}/bundle).",
    ],
    [
        "a link whose archive is gone",
        download,
        answer(404),
        "Bundle download: the server answered 404 Not Found (GET bundle at " +
            "https://bucket.example.com/se_42.tar.gz). The archive is no longer there: ask for a fresh link (POST" +
            " …/jobs/{jobId}/bundle).",
    ],
    [
        "a storage that cannot be reached",
        download,
        fail("ENOTFOUND", "getaddrinfo"),
        "Bundle download: the host name could not be resolved, ENOTFOUND (GET bundle at " +
            "https://bucket.example.com/se_42.tar.gz). Check the host name for typing errors, and that this " +
            "machine's DNS can resolve it.",
    ],
    [
        "a storage that sends nothing",
        download,
        hang,
        "Bundle download: nothing arrived for 20 ms (GET bundle at https://bucket.example.com/se_42.tar.gz). " +
            "Check the network and the storage behind the link, or allow more time with idleTimeoutMs.",
    ],
    [
        "a link that gives no archive",
        download,
        () => Promise.resolve(new Response("<html>")),
        "Bundle refused: what the link gives is neither a tar.gz nor a zip archive. Check that the link is " +
            "the bundleUrl of an export.",
    ],
];

async function messageOf(call: Call, fetch: Fetch): Promise<string> {
    if (call === download) {
        const options: DownloadBundleOptions = { fetch, clock: createFakeClock(), idleTimeoutMs: 20 };
        const link = "https://bucket.example.com/se_42.tar.gz?X-Amz-Signature=5ignature";
        return (await rejectionOf(downloadBundle(link, "never-made", options))).message;
    }
    const { client } = createTestClient("https://api.example.com/admin", { fetch, requestTimeoutMs: 20 });
    return (await rejectionOf(call(client))).message;
}

describe("The message of a failure says what happened, where, and what to do next", () => {
    for (const [what, call, fetch, message] of messages) {
        it(`for ${what}`, async () => {
            assert.equal(await messageOf(call, fetch), message);
        });
    }
});
