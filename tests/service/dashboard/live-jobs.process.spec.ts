import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { LiveJobs } from "../../../service/src/dashboard/live-jobs.js";
import { type JobSummary } from "../../../service/src/exports/site-job.js";
import { type Caller, operator } from "../../../service/src/http/protocol/caller.js";
import { type KeyScope } from "../../../service/src/keys/admin-keys.js";
import { waitUntil } from "../../wait-until.js";
import { adminApiKey } from "../support/running-service.js";
import { makeKey, page, signIn, type Viewer, withDashboard } from "./support/viewer.js";

/** The jobs of the first event that a page of a caller gets. */
async function firstJobsOf(caller: Caller, jobs: readonly JobSummary[]): Promise<string[]> {
    const live = new LiveJobs({
        unfinished: () => Promise.resolve(jobs),
        callersOf: (cookies) => Promise.resolve(new Map(cookies.map((cookie) => [cookie, caller]))),
        lookMs: 1000,
    });
    const server = createServer((_request, response) => live.add(response, "cookie")).listen(0);
    await once(server, "listening");
    try {
        const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
        for await (const chunk of response.body!) {
            const [, data = "[]"] = /data: (.*)/.exec(Buffer.from(chunk).toString()) ?? [];
            return (JSON.parse(data) as JobSummary[]).map(({ jobId }) => jobId);
        }
        return [];
    } finally {
        live.close();
        server.closeAllConnections();
        server.close();
    }
}

/** The names of the events that a page gets. */
async function* eventsOf(url: string, { cookies }: Viewer, signal: AbortSignal): AsyncGenerator<string> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${url}${page}/events`, { headers: { cookie }, signal });
    for await (const chunk of response.body!) {
        for (const [, name = ""] of Buffer.from(chunk)
            .toString()
            .matchAll(/^event: (.*)$/gm)) {
            yield name;
        }
    }
}

describe("Live events", () => {
    it("end with a rotated secret, while those of the new secret go on", async () => {
        let now = Date.now();
        await withDashboard(
            async (running) => {
                const { id, secret } = await makeKey(running, { name: "team", scopes: ["read"] });
                const old = await signIn(running, secret);
                const rotated = await running.request("POST", `/v1/keys/${id}/rotate?graceSeconds=60`);
                const current = await signIn(running, String(rotated.body["secret"]));
                const closing = new AbortController();
                try {
                    const [ofOld, ofCurrent] = [old, current].map((viewer) =>
                        eventsOf(running.service.url, viewer, closing.signal),
                    );
                    assert.equal((await ofOld!.next()).value, "jobs");
                    assert.equal((await ofCurrent!.next()).value, "jobs");
                    now += 61_000;
                    const rest: string[] = [];
                    for await (const name of ofOld!) {
                        rest.push(name);
                    }
                    assert.equal(rest.at(-1), "ended");
                    assert.ok(rest.length < 3, rest.join(" "));
                    assert.equal((await ofCurrent!.next()).value, "jobs");
                } finally {
                    closing.abort();
                }
            },
            { clock: () => now },
        );
    });

    const jobs = [
        { jobId: "se_1", kind: "export", domain: "docs.example.com", previewOf: null },
        { jobId: "du_2", kind: "update", domain: "docs.example.com", previewOf: null },
    ] as JobSummary[];
    const seen: [KeyScope[], string[]][] = [
        [["keys"], []],
        [["agent", "keys"], []],
        [["update"], ["du_2"]],
        [["read"], ["se_1", "du_2"]],
    ];
    for (const [scopes, expected] of seen) {
        it(`contain for the scopes ${scopes.join(" and ")} only what the API shows: ${expected.join(", ") || "nothing"}`, async () => {
            assert.deepEqual(await firstJobsOf({ ...operator, id: "ak_1", scopes }, jobs), expected);
        });
    }

    it("refuse HEAD at once, which has no answer to wait for", async () => {
        await withDashboard(async (running) => {
            const { status } = await (await signIn(running, adminApiKey)).head(`${page}/events`);
            assert.equal(status, 405);
        });
    });

    it("pile up in memory for no browser that reads slowly", async () => {
        let looks = 0;
        const jobs = Array.from({ length: 500 }, (_, index) => {
            const job: Partial<JobSummary> = { jobId: `se_${index}${"0".repeat(2000)}`, domain: "docs.example.com" };
            return job as JobSummary;
        });
        const live = new LiveJobs({
            unfinished: async () => Promise.resolve((looks++, jobs)),
            callersOf: async (cookies) => Promise.resolve(new Map(cookies.map((cookie) => [cookie, operator]))),
            lookMs: 1,
        });
        let browserPage: ServerResponse | undefined;
        const server = createServer((_request, response) => live.add((browserPage = response), "cookie")).listen(0);
        await once(server, "listening");
        const browser = get({ port: (server.address() as AddressInfo).port }, (response) => response.pause());
        browser.on("error", () => undefined);
        try {
            await waitUntil("the service has looked 50 times", () => looks > 50);
            const oneEvent = 1_100_000;
            assert.ok(
                (browserPage?.writableLength ?? Infinity) < 2 * oneEvent,
                `${browserPage?.writableLength} bytes wait`,
            );
        } finally {
            live.close();
            browser.destroy();
            server.closeAllConnections();
            server.close();
        }
    });
});
