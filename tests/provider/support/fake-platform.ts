import type { FakeClock } from "../../fake-clock.js";
import { type Answer, type Call, FakeServer } from "./fake-server.js";

export type Operation = "start" | "get" | "bundle";

export interface FakeJob {
    domain: string;
    version: string | undefined;
    startedMs: number;
    endsMs: number;
    outcome: "completed" | { failed: string };
}

/** The export jobs of a platform in memory: a job takes `jobMs`. */
export class FakePlatform extends FakeServer<Operation> {
    readonly jobs = new Map<string, FakeJob>();
    jobMs = 30_000;
    linkTtlMs = 3600_000;
    /** Further parameters of each link. */
    linkQuery = "";
    nextOutcome: FakeJob["outcome"] = "completed";
    /** A field of ended jobs that the contract does not define. */
    warnings: { count: number; first: object[] } | undefined;
    #started = 0;

    constructor(clock: FakeClock) {
        super(clock, ["start", "get", "bundle"]);
    }

    protected callOf(_method: string, path: string): { operation: Operation; jobId?: string } {
        const [, jobId, bundle] = /\/jobs(?:\/([^/]+)(\/bundle)?)?$/.exec(path) ?? [];
        const operation = jobId === undefined ? "start" : bundle === undefined ? "get" : "bundle";
        return { operation, ...(jobId === undefined ? {} : { jobId }) };
    }

    protected repeat(jobId: string): Answer {
        return { status: 202, json: { jobId, status: "queued" } };
    }

    protected handle({ operation, jobId = "", body }: Call<Operation>): Answer & { startedJobId?: string } {
        if (operation === "start") {
            const { domain, version } = body as { domain: string; version?: string };
            const id = `se_${++this.#started}`;
            const startedMs = this.clock.now();
            const endsMs = startedMs + this.jobMs;
            this.jobs.set(id, { domain, version, startedMs, endsMs, outcome: this.nextOutcome });
            return { ...this.repeat(id), startedJobId: id };
        }
        const job = this.jobs.get(jobId);
        if (!job) {
            return { status: 404, json: { error: `no such job ${jobId}` } };
        }
        const share = Math.min(1, (this.clock.now() - job.startedMs) / (job.endsMs - job.startedMs));
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
                    updatedAt: new Date(Math.min(this.clock.now(), job.endsMs)).toISOString(),
                    ...(failed ? { error: (job.outcome as { failed: string }).failed } : {}),
                    ...(done && this.warnings !== undefined ? { warnings: this.warnings } : {}),
                },
            };
        }
        if (!done || job.outcome !== "completed") {
            return { status: 409, json: { error: "the job has no bundle" } };
        }
        const expiresMs = this.clock.now() + this.skewMs + this.linkTtlMs;
        return {
            status: 200,
            json: {
                jobId,
                bundleUrl: `https://bundles.example.com/${jobId}.tar.gz?signature=sig${this.requests.length}${this.linkQuery}`,
                sizeBytes: 4096,
                expiresAt: new Date(expiresMs).toISOString(),
            },
        };
    }
}
