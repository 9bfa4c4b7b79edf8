import { type BundleStorage } from "../storage/bundle-storage.js";
import { type QueueState } from "../jobs/job-kind.js";
import { type SiteSummary } from "../history/site-overview.js";
import { type ServiceLogger } from "../shared/logger.js";
import { assertWritable } from "../storage/storage-folders.js";
import { type DatabaseClock } from "../database/database-clock.js";
import { type ServiceDatabase } from "../database/database.js";
import { type HealthAddress, HealthServer } from "./health-server.js";
import { type EndedAgentRun, type EndedRequest, type EndedRun, type Metrics, type RemovedRows } from "./metrics.js";

/** What is monitored. */
export interface Monitored {
    database: Pick<ServiceDatabase, "assertWritable" | "connections">;
    storage: { bundles: Pick<BundleStorage, "assertReachable"> };
    /** Whether the process reads or writes bundles. */
    hasBundles: boolean;
    /** Whether the process is useless without the storage: an API still starts and lists jobs without its bucket. */
    needsStorage: boolean;
    /** The folders to which the process's jobs write; empty if it runs no jobs. */
    jobFolders: readonly string[];
    siteJobs: { queue(): Promise<QueueState> };
    agentJobs: { queue(): Promise<QueueState> };
    retentionRounds: { lastSuccessAt(): Promise<Date> };
    siteFaults: () => readonly string[];
    /** The sites with their last export; undefined for a process that does not know it. */
    findSites?: () => Promise<SiteSummary[]>;
    databaseClock: Pick<DatabaseClock, "offsetMs" | "problem">;
}

/** The time in which each dependency must answer: shorter than the timeouts of probes and scrapes. */
const maxCheckMs = 3000;

/** Health and metrics of one process, on a separate address. */
export class Monitoring {
    readonly #address: HealthAddress | undefined;
    readonly #clock: () => number;
    readonly #logger: ServiceLogger;
    #metrics: Metrics | undefined;
    #server: HealthServer | undefined;
    #state = "starting";

    /** @param address - undefined to serve and count nothing */
    constructor(address: HealthAddress | undefined, clock: () => number, logger: ServiceLogger) {
        this.#address = address;
        this.#clock = clock;
        this.#logger = logger;
    }

    /**
     * Starts to serve health and metrics. Call this method before waiting for the database and the storage: the process
     * is alive meanwhile, but not ready.
     */
    async start(monitored: Monitored): Promise<void> {
        if (this.#address === undefined) {
            return;
        }
        // The metrics are imported here, so that only processes that serve them load the module.
        const { Metrics } = await import("./metrics.js");
        const { siteJobs, agentJobs, retentionRounds, database, siteFaults, findSites, databaseClock } = monitored;
        const state = {
            queue: () => withinLimit(siteJobs.queue()),
            agentQueue: () => withinLimit(agentJobs.queue()),
            lastRetentionAt: () => withinLimit(retentionRounds.lastSuccessAt()),
            connections: () => database.connections?.(),
            siteFaults,
            sites: findSites === undefined ? undefined : () => withinLimit(findSites()),
            clockOffsetMs: () => databaseClock.offsetMs,
        };
        const metrics = new Metrics(state, this.#clock, this.#address.version ?? "unknown");
        this.#metrics = metrics;
        this.#server = new HealthServer({
            findProblems: () => this.#findUnready(monitored),
            metrics: () => metrics.text(),
        });
        const url = await this.#server.listen(this.#address);
        if (this.#state === "closing") {
            // A server that does not listen yet cannot be closed.
            await this.#server.close();
            return;
        }
        this.#logger.info(`Health and metrics: ${url}/livez, ${url}/readyz, ${url}/metrics`);
    }

    /** From now on, the process is ready as long as the parts that it needs are ready, unless it closes already. */
    started(): void {
        this.#state = this.#state === "starting" ? "" : this.#state;
    }

    /** From now on, the process is not ready, and gets no new work. */
    closing(): void {
        this.#state = "closing";
    }

    readonly requestEnded = (request: EndedRequest): void => this.#metrics?.requestEnded(request);

    readonly jobEnded = (run: EndedRun): void => this.#metrics?.jobEnded(run);

    readonly agentRunEnded = (run: EndedAgentRun): void => this.#metrics?.agentRunEnded(run);

    readonly retentionApplied = (removed: RemovedRows): void => this.#metrics?.retentionApplied(removed);

    readonly storageFailed = (operation: string): void => this.#metrics?.storageFailed(operation);

    async close(): Promise<void> {
        await this.#server?.close();
    }

    /** What does not work now; empty if everything works. */
    async findProblems(monitored: Monitored): Promise<string[]> {
        const { storage, hasBundles, needsStorage } = monitored;
        const [unready, unreachable] = await Promise.all([
            this.#findUnready(monitored),
            hasBundles && !needsStorage ? findProblem("storage", storage.bundles.assertReachable()) : undefined,
        ]);
        return unreachable === undefined ? unready : [...unready, unreachable];
    }

    /** Why this process cannot do its work, or what another process could; empty if it is ready. */
    async #findUnready({ database, storage, needsStorage, jobFolders, databaseClock }: Monitored): Promise<string[]> {
        if (this.#state !== "") {
            return [this.#state];
        }
        const problems = await Promise.all([
            findProblem("database", database.assertWritable()),
            ...(needsStorage ? [findProblem("storage", storage.bundles.assertReachable())] : []),
            findProblem("disk", assertWritable(jobFolders)),
        ]);
        return [...problems, databaseClock.problem].filter((problem) => problem !== undefined);
    }
}

async function findProblem(part: string, check: Promise<unknown>): Promise<string | undefined> {
    try {
        await withinLimit(check);
        return undefined;
    } catch (error) {
        return `${part}: ${error instanceof Error ? error.message : String(error)}`;
    }
}

async function withinLimit<T>(check: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer in ${maxCheckMs} ms`)), maxCheckMs);
    });
    try {
        return await Promise.race([check, late]);
    } finally {
        clearTimeout(timer);
    }
}
