import assert from "node:assert/strict";
import { type CallContext, HttpError } from "../../../sdk/src/errors/index.js";

interface Answer {
    status: number;
    subject?: CallContext["subject"];
    jobId?: string;
    url?: string;
    isSelfHosted?: boolean;
    says?: string;
}

function messageFor({ status, subject = "export", jobId, url, isSelfHosted = true, says }: Answer): string {
    const context = { subject, jobId, operation: "GET /v1/x", url: url ?? "https://api.example.com/v1/x" };
    return new HttpError(context, { status, isSelfHosted, isOfApi: true, serverMessage: says }).message;
}

const lacksScope = "Admin API key ci-deploy has the scopes read, but this request needs export.";
const newScope = "Use a key with this scope, or add the scope to this key with static-export key change.";
const ownAddress = "Leave /v1 or /v2 out of baseUrl: each request adds it.";
const notEnabledHere = "was started with a site of this domain (--site).";
const notEnabled = "must be enabled for the key's organisation.";
const checkJob = "If the job is gone, start a new one.";
const keyRefused =
    '"It has expired." (GET /v1/x at https://api.example.com). Set adminApiKey to a key that this platform accepts.';
const keyUnknown =
    "The admin API key was not accepted: it is wrong, expired or rotated. Set adminApiKey to a key that this platform accepts.";
const unknownStatus = "Check baseUrl and the version of this package against the server's API.";

describe("The remedy for a refused request", () => {
    const cases: readonly [when: string, answer: Answer, remedy: string][] = [
        ["a key lacks a scope", { status: 403, says: lacksScope }, newScope],
        ["a scope is only quoted", { status: 403, says: `The proxy says: ${lacksScope}` }, notEnabledHere],
        ["a hosted platform writes of scopes", { status: 403, isSelfHosted: false, says: lacksScope }, notEnabled],
        ["a missing job is named like a key", { status: 404, jobId: "se_1", says: lacksScope }, checkJob],
        ["the service does not say why it refuses the key", { status: 401, says: "" }, keyUnknown],
        ["the service says why it refuses the key", { status: 401, says: "It has expired." }, keyRefused],
        [
            "the service's key may not read exports",
            { status: 403, subject: "history" },
            "the key may read its exports.",
        ],
        ["the service has no such job", { status: 404, jobId: "se_1" }, checkJob],
        ["the address has its version twice", { status: 404, url: "https://a.example.com/v1/v1/x" }, ownAddress],
        ["such an address fails otherwise", { status: 418, url: "https://a.example.com/v1/v1/x" }, unknownStatus],
        ["the proxy has a password", { status: 407 }, "http://user:password@host:port."],
        ["a redirect offers a choice", { status: 300 }, "the key is not sent to another origin."],
        ["a status has no meaning for the call", { status: 400, subject: "cancel" }, unknownStatus],
        [
            "a download has an unknown status",
            { status: 418, subject: "download" },
            "Request a fresh link (POST …/jobs/{jobId}/bundle).",
        ],
        [
            "a download leads elsewhere",
            { status: 302, subject: "download" },
            "Request a fresh link, and check the storage behind it.",
        ],
    ];
    for (const [when, answer, remedy] of cases) {
        it(`fits if ${when}`, () => {
            const message = messageFor(answer);
            assert.ok(message.endsWith(remedy), message);
        });
    }
});
