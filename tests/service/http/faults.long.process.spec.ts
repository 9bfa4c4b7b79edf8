import { FaultSpecError } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { adminApiKey, domain, type RunningService, withService } from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

const jobs = "/v1/static-export/jobs";
const exporter = copyingExporter;
const content = "# Welcome\n\nHello.\n";

/**
 * Returns the received part of a response whose connection may end early.
 * @param onArrival called when the service has received the request
 */
async function received(
    { service }: RunningService,
    path: string,
    onArrival: () => void = () => undefined,
): Promise<{ code?: string; bytes: string; length?: string }> {
    return new Promise((resolve) => {
        let bytes = "";
        let length: string | undefined;
        const finish = (error?: NodeJS.ErrnoException): void =>
            resolve({ ...(error?.code ? { code: error.code } : {}), bytes, ...(length ? { length } : {}) });
        // The service answers this expectation with 100 before it handles the request.
        const headers = { authorization: `Bearer ${adminApiKey}`, expect: "100-continue" };
        httpRequest(service.url + path, { agent: false, headers })
            .on("error", finish)
            .on("continue", onArrival)
            .on("response", (response) => {
                length = response.headers["content-length"];
                response
                    .on("data", (chunk: Buffer) => (bytes += chunk.toString()))
                    .on("error", finish)
                    .on("end", () => finish());
            })
            .end();
    });
}

async function completedJob({ start, reaches }: RunningService): Promise<string> {
    const jobId = await start();
    await reaches(jobId, "completed");
    return jobId;
}

describe("Injected faults", () => {
    it("answer a given number of requests with a status and Retry-After, without doing any work", async () => {
        const scripted = new ScriptedExporter();
        const spec = "start:status=503,times=2,retry-after=1";
        await withService({ exporter: scripted, faults: [spec] }, async ({ request }) => {
            for (const attempt of [1, 2]) {
                const { status, headers, body } = await request("POST", jobs, { json: { domain } });
                assert.deepEqual([status, headers.get("retry-after")], [503, "1"], `attempt ${attempt}`);
                assert.deepEqual(body, { error: `Rehearsed fault (${spec}).` });
            }
            assert.equal(scripted.begun.length, 0);
            assert.equal((await request("POST", jobs, { json: { domain } })).status, 202);
        });
    });

    it("send Retry-After as a date", async () => {
        const now = Date.parse("2026-11-01T10:00:00Z");
        const faults = ["get:status=429,retry-after-date=5"];
        await withService({ exporter, faults, clock: () => now }, async ({ request }) => {
            const { status, headers } = await request("GET", `${jobs}/se_42`);
            assert.deepEqual([status, headers.get("retry-after")], [429, "Sun, 01 Nov 2026 10:00:05 GMT"]);
        });
    });

    it("send an HTML page if requested, as proxies do", async () => {
        await withService({ exporter, faults: ["get:status=502,html"] }, async ({ request }) => {
            const { status, headers, text } = await request("GET", `${jobs}/se_42`);
            assert.equal(status, 502);
            assert.match(headers.get("content-type") ?? "", /^text\/html/);
            assert.match(text, /^<!doctype html>/);
        });
    });

    it("do not affect requests that fail authentication or validation", async () => {
        await withService({ exporter, faults: ["start:status=503"] }, async ({ request }) => {
            assert.equal((await request("POST", jobs, { key: null, json: { domain } })).status, 401);
            assert.equal((await request("POST", jobs, { json: {} })).status, 400);
            assert.equal((await request("POST", jobs, { json: { domain } })).status, 503);
        });
    });

    it("delay a response without changing it", async () => {
        await withService({ exporter, faults: ["get:delay=30ms"] }, async ({ request, requests }) => {
            assert.equal((await request("GET", `${jobs}/se_42`)).status, 404);
            assert.ok((requests[0]?.durationMs ?? 0) >= 29);
        });
    });

    it("do not delay the shutdown of the service", async () => {
        await withService({ exporter, faults: ["get:delay=1h"] }, async (running) => {
            let arrive = (): void => undefined;
            const arrival = new Promise<void>((resolve) => (arrive = resolve));
            const answer = received(running, `${jobs}/se_42`, arrive);
            await arrival;
            await running.service.close();
            assert.match((await answer).code ?? "", /^ECONN/);
        });
    });

    it("cut the connection before any work is done", async () => {
        const scripted = new ScriptedExporter();
        await withService({ exporter: scripted, faults: ["start:reset,times=1"] }, async ({ request, requests }) => {
            await assert.rejects(request("POST", jobs, { json: { domain } }), TypeError);
            assert.equal(scripted.begun.length, 0);
            assert.deepEqual(
                requests.map(({ operation, status }) => [operation, status]),
                [["start", undefined]],
            );
        });
    });

    it("start a job and cut the connection before the response", async () => {
        const scripted = new ScriptedExporter();
        await withService(
            { exporter: scripted, faults: ["start:ambiguous,times=1"] },
            async ({ request, requests }) => {
                await assert.rejects(request("POST", jobs, { json: { domain } }), TypeError);
                assert.equal((await scripted.nth(1)).request.domain, domain);
                assert.deepEqual(
                    requests.map(({ operation, status }) => [operation, status]),
                    [["start", undefined]],
                );
            },
        );
    });

    it("cut the connection in the middle of a JSON response", async () => {
        await withService({ exporter }, async (running) => {
            const path = `${jobs}/${await completedJob(running)}`;
            const whole = await received(running, path);
            running.service.setFaults(["get:reset-after=10"]);
            const { bytes, length, code } = await received(running, path);
            assert.deepEqual([bytes, length, code], [whole.bytes.slice(0, 10), whole.length, "ECONNRESET"]);
        });
    });

    it("cut the connection in the middle of a download", async () => {
        await withService({ exporter }, async (running) => {
            const path = await running.link(await completedJob(running));
            running.service.setFaults(["download:reset-after=7,times=1"]);
            const { bytes, length, code } = await received(running, path);
            assert.deepEqual([bytes, length, code], [content.slice(0, 7), String(content.length), "ECONNRESET"]);
            assert.equal((await received(running, path)).bytes, content);
        });
    });

    it("send half of a JSON response or an archive as if it were complete", async () => {
        await withService({ exporter }, async (running) => {
            const jobId = await completedJob(running);
            const path = await running.link(jobId);
            running.service.setFaults(["get:truncate", "download:truncate"]);
            const { bytes, code } = await received(running, `${jobs}/${jobId}`);
            assert.equal(code, undefined);
            assert.match(bytes, /^\{"jobId":/);
            assert.throws(() => JSON.parse(bytes) as unknown, SyntaxError);
            assert.deepEqual(await received(running, path), { bytes: content.slice(0, 9), length: "9" });
        });
    });

    it("report a status that is unknown to clients", async () => {
        await withService({ exporter }, async (running) => {
            const jobId = await completedJob(running);
            running.service.setFaults(["get:unknown-status,times=1"]);
            const { body } = await running.request("GET", `${jobs}/${jobId}`);
            assert.deepEqual([body["status"], body["jobId"]], ["rehearsing", jobId]);
            await running.reaches(jobId, "completed");
        });
    });

    it("make progress go back", async () => {
        const scripted = new ScriptedExporter();
        await withService(
            { exporter: scripted, faults: ["get:progress-back,after=1,times=1"] },
            async ({ start, request }) => {
                const jobId = await start();
                (await scripted.nth(1)).control.onProgress(80, 9);
                const seen = [];
                for (const poll of [1, 2, 3]) {
                    const { body } = await request("GET", `${jobs}/${jobId}`);
                    seen.push([poll, body["status"], body["progress"], body["pageCount"]]);
                }
                assert.deepEqual(seen, [
                    [1, "running", 80, 9],
                    [2, "running", 40, 4],
                    [3, "running", 80, 9],
                ]);
            },
        );
    });

    it("make a job vanish", async () => {
        await withService({ exporter, faults: ["get:vanish,after=1"] }, async ({ start, request }) => {
            const jobId = await start();
            assert.equal((await request("GET", `${jobs}/${jobId}`)).status, 200);
            assert.equal((await request("GET", `${jobs}/${jobId}`)).status, 404);
        });
    });

    it("refuse the bundle of a completed job for a while", async () => {
        await withService({ exporter, faults: ["bundle:status=409,times=3"] }, async (running) => {
            const jobId = await completedJob(running);
            const statuses = [];
            for (let attempt = 1; attempt <= 4; attempt += 1) {
                statuses.push((await running.request("POST", `${jobs}/${jobId}/bundle`)).status);
            }
            assert.deepEqual(statuses, [409, 409, 409, 200]);
        });
    });

    it("return a link that has already expired, with its expiry", async () => {
        const now = Date.parse("2026-11-01T10:00:00Z");
        await withService({ exporter, clock: () => now }, async (running) => {
            const jobId = await completedJob(running);
            running.service.setFaults(["bundle:expired-link,times=1"]);
            const { body } = await running.request("POST", `${jobs}/${jobId}/bundle`);
            assert.equal(body["expiresAt"], "2026-11-01T09:59:00.000Z");
            const download = await fetch(String(body["bundleUrl"]));
            assert.equal(download.status, 403);
            assert.match(await download.text(), /The bundle link has expired/);
            assert.equal((await running.request("GET", await running.link(jobId))).status, 200);
        });
    });

    it("make a job fail for a given reason, after a delay", async () => {
        await withService(
            { exporter, faults: ["export:delay=1ms,fail=quota exceeded,times=1"] },
            async ({ start, reaches }) => {
                const failed = await reaches(await start(), "failed");
                assert.equal(failed["error"], "quota exceeded");
                await reaches(await start(), "completed");
            },
        );
    });

    it("also affect agent jobs", async () => {
        const projects = { docs: { repository: "https://github.com/acme/docs" } };
        await withService({ exporter, projects, faults: ["agent:status=429,times=1"] }, async ({ request }) => {
            const send = () => request("POST", "/v2/agent/docs/job", { json: { prompt: "Fix typos." } });
            assert.deepEqual([(await send()).status, (await send()).status], [429, 201]);
        });
    });

    it("are refused if they are invalid, both at startup and later", async () => {
        await assert.rejects(
            withService({ exporter, faults: ["start:explode"] }, async () => {}),
            FaultSpecError,
        );
        await withService({ exporter }, ({ service }) => {
            assert.throws(() => service.setFaults(["start:explode"]), FaultSpecError);
            return Promise.resolve();
        });
    });
});
