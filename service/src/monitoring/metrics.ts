import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const jobSeconds = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900];

/** A request whose response has ended. */
export interface EndedRequest {
    /** Absent if no route matched. */
    operation?: string;
    /** Absent if the connection ended before the whole response was sent. */
    status?: number;
    durationMs: number;
}

/** A finished run of an export job in this process. */
export interface EndedRun {
    outcome: string;
    durationMs: number;
    /** 0 if it did not complete. */
    pageCount: number;
    /** How long the job waited for its first run; undefined for later runs. */
    waitedMs: number | undefined;
}

/** The export jobs of all processes. */
export interface QueueState {
    queued: number;
    running: number;
    /** When the job that has waited longest was queued. */
    oldestQueuedAt: Date | undefined;
}

/** The rows that a round of the retention removed. */
export interface RemovedRows {
    jobs: number;
    bundles: number;
    found: number;
}

/** Values that all processes with the same database share; computed for each scrape. */
export interface SharedState {
    queue: () => Promise<QueueState>;
    lastRetentionAt: () => Promise<Date>;
}

/** The metrics of one process, for Prometheus. */
export class Metrics {
    readonly #registry = new Registry();
    readonly #requests: Counter<"operation" | "status">;
    readonly #requestSeconds: Histogram<"operation">;
    readonly #jobs: Counter<"outcome">;
    readonly #jobSeconds: Histogram<"outcome">;
    readonly #waitSeconds: Histogram;
    readonly #pages: Counter;
    readonly #storageErrors: Counter<"operation">;
    readonly #queueErrors: Counter;
    readonly #queueOldest: Gauge;
    readonly #queueJobs: Gauge<"status">;
    readonly #lastRetention: Gauge;
    readonly #removed: Counter<"what">;
    readonly #found: Counter;
    readonly #shared: SharedState;
    readonly #clock: () => number;

    constructor(shared: SharedState, clock: () => number) {
        const registers = [this.#registry];
        collectDefaultMetrics({ register: this.#registry });
        this.#requests = new Counter({
            name: "static_export_requests_total",
            help: "Requests by operation (polls are get) and status; status cut: the connection ended first.",
            labelNames: ["operation", "status"],
            registers,
        });
        this.#requestSeconds = new Histogram({
            name: "static_export_request_duration_seconds",
            help: "How long requests took.",
            labelNames: ["operation"],
            buckets: requestSeconds,
            registers,
        });
        this.#jobs = new Counter({
            name: "static_export_job_runs_total",
            help: "Runs of export jobs that ended in this process: completed, failed, lost to another worker, requeued.",
            labelNames: ["outcome"],
            registers,
        });
        this.#jobSeconds = new Histogram({
            name: "static_export_job_run_duration_seconds",
            help: "How long runs of export jobs took.",
            labelNames: ["outcome"],
            buckets: jobSeconds,
            registers,
        });
        this.#waitSeconds = new Histogram({
            name: "static_export_job_wait_seconds",
            help: "How long export jobs waited in the queue for their first run, by the runs that ended in this process.",
            buckets: jobSeconds,
            registers,
        });
        this.#pages = new Counter({
            name: "static_export_pages_total",
            help: "Pages of the export jobs that completed in this process.",
            registers,
        });
        this.#storageErrors = new Counter({
            name: "static_export_storage_errors_total",
            help: "Requests to the bucket that failed, by S3 operation.",
            labelNames: ["operation"],
            registers,
        });
        this.#queueErrors = new Counter({
            name: "static_export_queue_errors_total",
            help: "How often queue and retention could not be read from the database for these metrics, which then lack them.",
            registers,
        });
        this.#queueOldest = new Gauge({
            name: "static_export_queue_oldest_seconds",
            help: "How long the oldest queued job of all processes has been waiting.",
            registers,
        });
        this.#queueJobs = new Gauge({
            name: "static_export_queue_jobs",
            help: "Export jobs of all processes by status: queued, running.",
            labelNames: ["status"],
            registers,
        });
        this.#lastRetention = new Gauge({
            name: "static_export_retention_last_success_timestamp_seconds",
            help: "When old jobs and bundles were last removed completely, by any process.",
            registers,
        });
        this.#removed = new Counter({
            name: "static_export_retention_removed_total",
            help: "What the retention has removed in this process: jobs, bundles.",
            labelNames: ["what"],
            registers,
        });
        this.#found = new Counter({
            name: "static_export_bundles_found_total",
            help: "Bundles that this process found in the storage and that the database did not know.",
            registers,
        });
        for (const what of ["jobs", "bundles"]) {
            this.#removed.inc({ what }, 0);
        }
        this.#shared = shared;
        this.#clock = clock;
    }

    requestEnded({ operation, status, durationMs }: EndedRequest): void {
        const of = { operation: operation ?? "none" };
        this.#requests.inc({ ...of, status: status ?? "cut" });
        this.#requestSeconds.observe(of, durationMs / 1000);
    }

    jobEnded({ outcome, durationMs, pageCount, waitedMs }: EndedRun): void {
        this.#jobs.inc({ outcome });
        this.#jobSeconds.observe({ outcome }, durationMs / 1000);
        this.#pages.inc(pageCount);
        if (waitedMs !== undefined) {
            this.#waitSeconds.observe(waitedMs / 1000);
        }
    }

    retentionApplied(removed: RemovedRows): void {
        this.#removed.inc({ what: "jobs" }, removed.jobs);
        this.#removed.inc({ what: "bundles" }, removed.bundles);
        this.#found.inc(removed.found);
    }

    storageFailed(operation: string): void {
        this.#storageErrors.inc({ operation });
    }

    /** Prometheus's text format; without the queue's metrics if the queue cannot be read. */
    async text(): Promise<string> {
        await this.#readShared();
        return this.#registry.metrics();
    }

    async #readShared(): Promise<void> {
        const { queue, lastRetentionAt } = this.#shared;
        try {
            const { queued, running, oldestQueuedAt: since } = await queue();
            this.#queueJobs.set({ status: "queued" }, queued);
            this.#queueJobs.set({ status: "running" }, running);
            this.#queueOldest.set(since === undefined ? 0 : Math.max(0, this.#clock() - since.getTime()) / 1000);
            this.#lastRetention.set((await lastRetentionAt()).getTime() / 1000);
        } catch {
            this.#queueErrors.inc();
            // The values of the previous scrape would hide that the queue's state is unknown.
            this.#queueJobs.reset();
            this.#queueOldest.remove({});
            this.#lastRetention.remove({});
        }
    }
}
