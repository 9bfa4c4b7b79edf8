import { type BundleStorage } from "../storage/bundle-storage.js";
import { type JobEnd } from "../exports/export-jobs.js";
import { type RequestLogEntry } from "../http/request-log.js";
import { type ServiceLogger } from "../shared/logger.js";
import { assertWritable } from "../storage/assert-writable.js";
import { type ServiceDatabase } from "../database/database.js";
import { type StaticExportStore } from "../exports/static-export-store.js";
import { type HealthAddress, HealthServer } from "./health-server.js";
import { type Metrics } from "./metrics.js";

export interface OperationsOptions {
    /** Undefined to answer nothing and to count nothing. */
    address: HealthAddress | undefined;
    database: ServiceDatabase;
    /** Undefined if the process stores no bundles. */
    storage: Pick<BundleStorage, "assertReachable"> | undefined;
    /** Folders in which its jobs write; empty if it runs none. */
    folders: readonly string[];
    store: Pick<StaticExportStore, "queue">;
    clock: () => number;
    logger: ServiceLogger;
}

/** The time in which a part must answer: shorter than the timeouts of probes and scrapes. */
const maxCheckMs = 3000;

/** Health and metrics of one process, on an address of their own. */
export class Operations {
    readonly #options: OperationsOptions;
    #metrics: Metrics | undefined;
    #server: HealthServer | undefined;
    #state = "starting";

    constructor(options: OperationsOptions) {
        this.#options = options;
    }

    /** Call it before waiting for the database and the storage: the process is alive meanwhile, but not ready. */
    async start(): Promise<void> {
        const { address, store, clock, logger } = this.#options;
        if (address === undefined) {
            return;
        }
        // Imported here, so that only processes with metrics load it.
        const { Metrics } = await import("./metrics.js");
        const metrics = new Metrics(() => withinLimit(store.queue()), clock);
        this.#metrics = metrics;
        this.#server = new HealthServer({ findProblems: () => this.#findProblems(), metrics: () => metrics.text() });
        const url = await this.#server.listen(address);
        logger.info(`Health and metrics: ${url}/livez, ${url}/readyz, ${url}/metrics`);
    }

    /** From now on the process is ready while its database and its storage are. */
    started(): void {
        this.#state = "";
    }

    /** From now on the process is not ready, and gets no new work. */
    closing(): void {
        this.#state = "closing";
    }

    readonly requestEnded = (entry: RequestLogEntry): void => this.#metrics?.requestEnded(entry);

    readonly jobEnded = (end: JobEnd): void => this.#metrics?.jobEnded(end);

    readonly storageFailed = (operation: string): void => this.#metrics?.storageFailed(operation);

    async close(): Promise<void> {
        await this.#server?.close();
    }

    async #findProblems(): Promise<string[]> {
        if (this.#state !== "") {
            return [this.#state];
        }
        const { database, storage, folders } = this.#options;
        const problems = await Promise.all([
            findProblem("database", database.get("SELECT 1 AS one")),
            ...(storage === undefined ? [] : [findProblem("storage", storage.assertReachable())]),
            findProblem("disk", assertWritable(folders)),
        ]);
        return problems.filter((problem) => problem !== undefined);
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
