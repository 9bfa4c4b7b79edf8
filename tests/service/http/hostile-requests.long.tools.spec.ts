import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import fc from "fast-check";
import { scaled } from "../../scale.js";
import { signIn, withDashboard } from "../dashboard/support/viewer.js";
import { usePostgres } from "../support/postgres.js";
import { adminApiKey, domain, type RunningService } from "../support/running-service.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";

const numRuns = scaled({ short: 150, long: 800 });

const odd = fc.constantFrom(
    "\0",
    "\u202e",
    "\ud800",
    "\udfff",
    "\u001b[31m",
    "\r\n",
    "\u2028",
    "%",
    "'",
    '"',
    "../",
    "9".repeat(400),
);
const text = fc
    .array(fc.oneof(odd, fc.string({ unit: "binary", maxLength: 30 })), { maxLength: 12 })
    .map((parts) => parts.join(""));
const long = fc.tuple(text, fc.nat(20_000)).map(([part, times]) => part.slice(0, 40).repeat(times));
const value = fc.oneof({ weight: 8, arbitrary: text }, { weight: 1, arbitrary: long });

interface HostileRequest {
    method: string;
    path: string;
    json?: unknown;
    headers?: Record<string, string>;
}

const encoded = (given: string): string => encodeURIComponent(given.toWellFormed());
const request: fc.Arbitrary<HostileRequest> = fc.oneof(
    ...["version", "paths", "domain"].map((field) =>
        value.map((given) => ({
            method: "POST",
            path: "/v1/static-export/jobs",
            json: { domain, [field]: field === "paths" ? [given] : given },
        })),
    ),
    value.map((prompt) => ({ method: "POST", path: "/v2/agent/docs/job", json: { prompt } })),
    value.map((name) => ({ method: "POST", path: "/v1/keys", json: { name, scopes: ["read"], projects: [name] } })),
    fc
        .tuple(
            fc.constantFrom(
                ...[
                    "/v1/sites?search=",
                    "/v1/static-export/jobs?key=",
                    "/v1/static-export/jobs?domain=",
                    "/v2/agent/jobs?project=",
                ],
                ...[
                    "/v1/static-export/jobs/",
                    "/v1/sites/",
                    "/v1/project/update-status/",
                    "/v2/agent/docs/job/",
                    "/bundles/",
                ],
                ...[
                    "/v1/static-export/jobs?cursor=",
                    "/v1/audit?cursor=",
                    "/dashboard/sites?search=",
                    "/dashboard/jobs/",
                ],
            ),
            text,
        )
        .map(([path, given]) => ({ method: "GET", path: path + encoded(given) })),
    fc.tuple(fc.constantFrom("/v1/keys/", "/v1/sessions/", "/v1/static-export/jobs/"), text).map(([path, given]) => ({
        method: "DELETE",
        path: path + encoded(given),
    })),
    fc.string({ minLength: 1, maxLength: 80 }).map((key) => ({
        method: "POST",
        path: "/v1/static-export/jobs",
        json: { domain },
        headers: { "idempotency-key": key.replace(/[^\x20-\x7e]/g, "x").trim() || "x" },
    })),
);

describe("Random text in every part of a request", () => {
    const server = usePostgres();

    const declare = (title: string, options: () => Promise<object>): void => {
        it(`is stored or refused by a service on ${title}, and nothing answers 500 or hangs`, async function () {
            this.timeout(numRuns * 1000 + 60_000);
            const given = await options();
            await withDashboard(async (running) => {
                await fc.assert(
                    fc.asyncProperty(request, async ({ method, path, json, headers = {} }) => {
                        const { status, text: answer } = await send(running, { method, path, json, headers });
                        assert.ok(status < 500, `${method} ${path}: ${status} ${answer}`);
                    }),
                    { numRuns, endOnFailure: true },
                );
                await assertListed(running);
            }, given);
        });
    };
    declare("SQLite", () => Promise.resolve({ exporter: new ScriptedExporter(), maxQueuedJobs: 100_000 }));
    declare("PostgreSQL", async () => {
        const database = await server().createDatabase();
        await migrateDatabase(database);
        return { database, maxQueuedJobs: 100_000 };
    });
});

function send(running: RunningService, { method, path, json, headers = {} }: HostileRequest) {
    const signal = AbortSignal.timeout(20_000);
    return fetch(running.service.url + path, {
        method,
        signal,
        redirect: "manual",
        headers: {
            authorization: `Bearer ${adminApiKey}`,
            ...(json === undefined ? {} : { "content-type": "application/json" }),
            ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    }).then(async (response) => ({ status: response.status, text: await response.text() }));
}

/** Every list and page still answers with what was stored. */
async function assertListed(running: RunningService): Promise<void> {
    for (const path of ["/v1/static-export/jobs?limit=1000", "/v2/agent/jobs?limit=1000", "/v1/keys", "/v1/audit"]) {
        const { status, text: answer } = await send(running, { method: "GET", path });
        assert.equal(status, 200, answer);
    }
    const viewer = await signIn(running, adminApiKey);
    for (const page of ["/sites", "/jobs", "/agent-jobs", "/keys", "/audit"]) {
        const { status, text: answer } = await viewer.get(`/dashboard${page}`);
        assert.equal(status, 200, `${page}: ${answer.slice(0, 200)}`);
        assert.ok(!answer.includes("\0"), page);
    }
}
