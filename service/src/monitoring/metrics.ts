import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "@prometheus-io/client";
import { siteStates } from "@pulumi-static-export/contract";
import { type DatabaseConnections } from "../database/database.js";
import { type SiteSummary } from "../history/site-overview.js";
import { type QueueState } from "../jobs/job-kind.js";

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const jobSeconds = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900];
const agentSeconds = [10, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/** The number of time series must not depend on the number of sites. */
const maxFailedSites = 50;

/** A request whose response has ended. */
export interface EndedRequest {
    /** Absent if no route matched. */
    operation?: string;
    /** Absent if the connection ended before the whole response was sent. */
    status?: number;
    durationMs: number;
}

/** A finished run of an agent job in this process. */
export interface EndedAgentRun {
    outcome: string;
    durationMs: number;
}

/** A finished run of an export job in this process. */
export interface EndedRun extends EndedAgentRun {
    /** 0 if the job did not complete. */
    pageCount: number;
    /** How long the job waited for its first run; undefined for later runs. */
    waitedMs: number | undefined;
}

/** The rows that a round of the retention removed. */
export interface RemovedRows {
    jobs: number;
    bundles: number;
    found: number;
}

/** Values that are computed for each scrape. All values except the connections are the same in all processes. */
interface ScrapedState {
    queue: () => Promise<QueueState>;
    agentQueue: () => Promise<QueueState>;
    lastRetentionAt: () => Promise<Date>;
    /** Undefined for a database without connections. */
    connections: () => DatabaseConnections | undefined;
    /** What is wrong in this process's file of sites. */
    siteFaults: () => readonly string[];
    /** The sites, those that need attention first; undefined for a process that does not know them. */
    sites: (() => Promise<readonly Pick<SiteSummary, "domain" | "state" | "lastExport">[]>) | undefined;
    /** How far the database's clock is ahead of this machine's. */
    clockOffsetMs: () => number;
}

/** The metrics of one process, for Prometheus. */
export class Metrics {
    readonly #registry = new Registry();
    readonly #requests = this.#counter(
        "static_export_requests_total",
        "Requests, by operation (a poll counts as get) and by status (cut means that the connection ended before " +
            "the response).",
        ["operation", "status"],
    );
    readonly #requestSeconds = this.#histogram(
        "static_export_request_duration_seconds",
        "How long requests took.",
        requestSeconds,
        ["operation"],
    );
    readonly #jobs = this.#counter(
        "static_export_job_runs_total",
        "Ended runs of export jobs in this process: completed, failed, cancelled, requeued, lost to another worker.",
        ["outcome"],
    );
    readonly #jobSeconds = this.#histogram(
        "static_export_job_run_duration_seconds",
        "How long runs of export jobs took.",
        jobSeconds,
        ["outcome"],
    );
    readonly #waitSeconds = this.#histogram(
        "static_export_job_wait_seconds",
        "How long export jobs waited in the queue, counted when their first run ends in this process.",
        jobSeconds,
    );
    readonly #pages = this.#counter(
        "static_export_pages_total",
        "Pages of the export jobs that completed in this process.",
    );
    readonly #agentRuns = this.#counter(
        "static_export_agent_runs_total",
        "Ended runs of agent jobs in this process, by outcome as for export jobs.",
        ["outcome"],
    );
    readonly #agentRunSeconds = this.#histogram(
        "static_export_agent_run_duration_seconds",
        "How long runs of agent jobs took.",
        agentSeconds,
        ["outcome"],
    );
    readonly #agentQueueOldest = this.#gauge(
        "static_export_agent_queue_oldest_seconds",
        "How long the oldest waiting prompt of any agent job has been waiting.",
    );
    readonly #agentQueuePrompts = this.#gauge(
        "static_export_agent_queue_prompts",
        "Prompts of agent jobs of all processes by status: queued, running.",
        ["status"],
    );
    readonly #siteFaults = this.#gauge(
        "static_export_sites_file_faults",
        "Lines of the sites file that are wrong: their sites stay as they were. The log names each line.",
    );
    readonly #sites = this.#gauge(
        "static_export_sites",
        "Sites by the state of their last export: failed, stale (older than the published commit), never, " +
            "running, queued, completed.",
        ["state"],
    );
    readonly #failedSites = this.#gauge(
        "static_export_failed_site_timestamp_seconds",
        `When the last export of a site failed, for at most ${maxFailedSites} such sites.`,
        ["domain"],
    );
    readonly #clockOffset = this.#gauge(
        "static_export_clock_offset_seconds",
        "How far the database's clock is ahead of this machine's. Beyond a minute, the process is not ready.",
    );
    readonly #connections = this.#gauge(
        "static_export_database_connections",
        "Connections of this process to PostgreSQL (used, idle), and statements that wait for a connection " +
            "(waiting).",
        ["state"],
    );
    readonly #storageErrors = this.#counter(
        "static_export_storage_errors_total",
        "Requests to the bucket that failed, by S3 operation.",
        ["operation"],
    );
    readonly #queueErrors = this.#counter(
        "static_export_queue_errors_total",
        "How often reading the database for metrics failed. Metrics of queues and retention are then missing.",
    );
    readonly #queueOldest = this.#gauge(
        "static_export_queue_oldest_seconds",
        "How long the oldest queued job of all processes has been waiting.",
    );
    readonly #queueJobs = this.#gauge(
        "static_export_queue_jobs",
        "Export jobs of all processes by status: queued, running.",
        ["status"],
    );
    readonly #lastRetention = this.#gauge(
        "static_export_retention_last_success_timestamp_seconds",
        "When a process last finished removing old jobs and bundles.",
    );
    readonly #removed = this.#counter(
        "static_export_retention_removed_total",
        "Jobs and bundles that the retention has removed in this process.",
        ["what"],
    );
    readonly #found = this.#counter(
        "static_export_bundles_found_total",
        "Stored bundles that this process found to be missing from the database.",
    );
    readonly #state: ScrapedState;
    readonly #clock: () => number;

    /** @param version - the release of this process */
    constructor(state: ScrapedState, clock: () => number, version: string) {
        this.#state = state;
        this.#clock = clock;
        collectDefaultMetrics({ register: this.#registry });
        this.#gauge(
            "static_export_build_info",
            "Always 1. The labels are the releases of this process and of Node.js.",
            ["version", "node"],
        ).set({ version, node: process.version }, 1);
        for (const what of ["jobs", "bundles"]) {
            this.#removed.inc({ what }, 0);
        }
    }

    #counter<Label extends string = never>(name: string, help: string, labelNames: Label[] = []) {
        return new Counter({ name, help, labelNames, registers: [this.#registry] });
    }

    #gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []) {
        return new Gauge({ name, help, labelNames, registers: [this.#registry] });
    }

    #histogram<Label extends string = never>(name: string, help: string, buckets: number[], labelNames: Label[] = []) {
        return new Histogram({ name, help, buckets, labelNames, registers: [this.#registry] });
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

    agentRunEnded({ outcome, durationMs }: EndedAgentRun): void {
        this.#agentRuns.inc({ outcome });
        this.#agentRunSeconds.observe({ outcome }, durationMs / 1000);
    }

    retentionApplied(removed: RemovedRows): void {
        this.#removed.inc({ what: "jobs" }, removed.jobs);
        this.#removed.inc({ what: "bundles" }, removed.bundles);
        this.#found.inc(removed.found);
    }

    storageFailed(operation: string): void {
        this.#storageErrors.inc({ operation });
    }

    /** The metrics in Prometheus's text format; the queues' metrics are missing if the queues cannot be read. */
    async text(): Promise<string> {
        const { queue, agentQueue, lastRetentionAt, connections, siteFaults, sites, clockOffsetMs } = this.#state;
        this.#siteFaults.set(siteFaults().length);
        this.#clockOffset.set(clockOffsetMs() / 1000);
        for (const [state, count] of Object.entries(connections() ?? {})) {
            this.#connections.set({ state }, count as number);
        }
        try {
            this.#showSites((await sites?.()) ?? []);
        } catch {
            // The queues' metrics do not depend on the sites.
            this.#sites.reset();
            this.#failedSites.reset();
        }
        try {
            this.#showQueue(this.#queueJobs, this.#queueOldest, await queue());
            this.#showQueue(this.#agentQueuePrompts, this.#agentQueueOldest, await agentQueue());
            this.#lastRetention.set((await lastRetentionAt()).getTime() / 1000);
        } catch {
            this.#queueErrors.inc();
            // The values of the previous scrape would hide that the queues' state is unknown.
            for (const byStatus of [this.#queueJobs, this.#agentQueuePrompts]) {
                byStatus.reset();
            }
            for (const gauge of [this.#queueOldest, this.#agentQueueOldest, this.#lastRetention]) {
                gauge.remove();
            }
        }
        return this.#registry.metrics();
    }

    #showSites(sites: Awaited<ReturnType<NonNullable<ScrapedState["sites"]>>>): void {
        this.#failedSites.reset();
        for (const state of this.#state.sites === undefined ? [] : siteStates) {
            this.#sites.set({ state }, sites.filter((site) => site.state === state).length);
        }
        for (const { domain, lastExport } of sites.filter(({ state }) => state === "failed").slice(0, maxFailedSites)) {
            this.#failedSites.set({ domain }, (lastExport?.updatedAt.getTime() ?? 0) / 1000);
        }
    }

    #showQueue(byStatus: Gauge<"status">, oldest: Gauge, { queued, running, oldestQueuedAt: since }: QueueState): void {
        byStatus.set({ status: "queued" }, queued);
        byStatus.set({ status: "running" }, running);
        oldest.set(since === undefined ? 0 : Math.max(0, this.#clock() - since.getTime()) / 1000);
    }
}
