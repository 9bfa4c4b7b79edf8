import type { FetchLike, FetchResponse } from "@pulumi-static-export/sdk";
import type { FakeClock } from "./fake-clock.js";

export type Operation = "start" | "get" | "bundle";
/** What happens to one request instead of its ordinary answer. `lost` does the work and breaks before the answer. */
export type Fault = { status: number; error?: string } | "refused" | "lost" | "truncated";

interface Job {
    domain: string;
    version: string | undefined;
    startedMs: number;
    outcome: "completed" | { failed: string };
}

/**
 * The admin API in memory, on the clock of the spec: a job takes `jobMs`, and requests fail as `faults` says. The real
 * service stands in tests/e2e and in the contract specs; here a schedule of faults has to be exact.
 */
export class FakePlatform {
    readonly requests: { operation: Operation; jobId?: string }[] = [];
    readonly jobs = new Map<string, Job>();
    /** The faults of the next requests of an operation, in order; undefined lets one pass. */
    readonly faults: Record<Operation, (Fault | undefined)[]> = { start: [], get: [], bundle: [] };
    jobMs = 30_000;
    linkTtlMs = 3600_000;
    nextOutcome: Job["outcome"] = "completed";
    /** How far the platform's clock is ahead. */
    skewMs = 0;
    /** Requests of this operation are never answered. */
    hang: Operation | undefined;
    #started = 0;
    #onRequest: (operation: Operation) => void = () => {};

    constructor(private readonly clock: FakeClock) {}

    /** Resolves when the next request of an operation arrives. */
    requested(operation: Operation): Promise<void> {
        return new Promise((resolve) => {
            this.#onRequest = (arrived) => arrived === operation && resolve();
        });
    }

    count(operation: Operation): number {
        return this.requests.filter((request) => request.operation === operation).length;
    }

    readonly fetch: FetchLike = (url, { method, body }) => {
        const [, jobId, bundle] = /\/jobs(?:\/([^/]+)(\/bundle)?)?$/.exec(url) ?? [];
        const operation = jobId === undefined ? "start" : bundle === undefined ? "get" : "bundle";
        this.requests.push({ operation, ...(jobId === undefined ? {} : { jobId }) });
        this.#onRequest(operation);
        if (this.hang === operation) {
            return new Promise(() => {});
        }
        const fault = this.faults[operation].shift();
        if (fault === "refused") {
            return Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
        }
        if (typeof fault === "object") {
            return Promise.resolve(this.#answer(fault.status, { error: fault.error ?? "out of order" }));
        }
        const { status, json } = this.#handle(method, operation, jobId, body);
        if (fault === "lost") {
            return Promise.reject(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
        }
        return Promise.resolve(this.#answer(status, json, fault === "truncated"));
    };

    #handle(method: string, operation: Operation, jobId = "", body = "{}"): { status: number; json: object } {
        if (operation === "start") {
            const { domain, version } = JSON.parse(body) as { domain: string; version?: string };
            const id = `se_${++this.#started}`;
            this.jobs.set(id, { domain, version, startedMs: this.clock.now(), outcome: this.nextOutcome });
            return { status: 202, json: { jobId: id, status: "queued" } };
        }
        const job = this.jobs.get(jobId);
        if (!job) {
            return { status: 404, json: { error: `no such job ${jobId}` } };
        }
        const share = Math.min(1, (this.clock.now() - job.startedMs) / this.jobMs);
        const done = share === 1;
        if (operation === "get") {
            const failed = done && job.outcome !== "completed";
            return {
                status: 200,
                json: {
                    jobId,
                    status: failed ? "failed" : done ? "completed" : "running",
                    progress: share * 100,
                    pageCount: Math.floor(share * 12),
                    updatedAt: new Date(Math.min(this.clock.now(), job.startedMs + this.jobMs)).toISOString(),
                    ...(failed ? { error: (job.outcome as { failed: string }).failed } : {}),
                },
            };
        }
        if (!done || job.outcome !== "completed") {
            return { status: 409, json: { error: "the job has not finished" } };
        }
        const expiresMs = this.clock.now() + this.skewMs + this.linkTtlMs;
        return {
            status: 200,
            json: {
                jobId,
                bundleUrl: `https://bundles.example.com/${jobId}.tar.gz?signature=sig${this.requests.length}`,
                sizeBytes: 4096,
                expiresAt: new Date(expiresMs).toISOString(),
            },
        };
    }

    #answer(status: number, json: object, truncated = false): FetchResponse {
        const text = JSON.stringify(json);
        const headers = new Map([
            ["content-type", "application/json"],
            ["date", new Date(this.clock.now() + this.skewMs).toUTCString()],
        ]);
        return {
            status,
            headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
            // eslint-disable-next-line @typescript-eslint/require-await
            body: (async function* () {
                yield Buffer.from(truncated ? text.slice(0, text.length / 2) : text);
            })(),
        };
    }
}
