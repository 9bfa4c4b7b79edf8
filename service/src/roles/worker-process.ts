import { type BundleStorage } from "../storage/bundle-storage.js";
import { waitForStorage } from "../storage/wait-for-storage.js";
import { type ServiceDatabase } from "../database/database.js";
import { waitForSchema } from "../database/wait-for-schema.js";
import { type Operations } from "../monitoring/monitoring.js";
import { defaultTickMs } from "../jobs/run.js";
import { StalledJobs, type StalledJobsOptions } from "../jobs/stalled-jobs.js";

/** Runs jobs that services with the same database have queued. */
export interface Worker {
    /** Waits for the database, its schema and the storage. Resolves when the worker looks for jobs. */
    start(): Promise<void>;
    /** Interrupts its jobs, gives them back, and releases all resources. */
    close(): Promise<void>;
}

export interface WorkerTimes {
    /**
     * How often a running job reports that it is alive, stores its progress and checks whether it is still wanted. A
     * job that is silent for three and a half of these intervals is given to another worker.
     * @default 10000
     */
    tickMs?: number;
    /** How often it looks for queued jobs. @default 1000 */
    pollMs?: number;
}

interface WorkerParts extends WorkerTimes, Pick<StalledJobsOptions, "kind" | "attempts" | "maxStarts" | "logger"> {
    database: ServiceDatabase;
    /** Undefined if the worker stores no bundles. */
    storage?: BundleStorage;
    operations: Operations;
    runner: { start?(): Promise<void>; wake(): void; close(): Promise<void> };
}

const deadAfterTicks = 3.5;

/**
 * The common part of all workers: waits for what a worker needs, then looks for queued jobs and for jobs of dead
 * workers.
 */
export function createWorkerProcess(parts: WorkerParts): Worker {
    const { database, storage, operations, runner, logger, tickMs = defaultTickMs, pollMs = 1000 } = parts;
    const stalled = new StalledJobs({ ...parts, deadAfterMs: deadAfterTicks * tickMs });
    const closing = new AbortController();
    const timers: NodeJS.Timeout[] = [];
    let checking: Promise<unknown> | undefined;
    const check = (): void => {
        checking ??= stalled
            .check()
            .catch((error: unknown) => logger.error(`The search for stalled jobs failed: ${String(error)}`))
            .finally(() => (checking = undefined));
    };

    const close = async (): Promise<void> => {
        closing.abort();
        operations.closing();
        timers.forEach((timer) => clearInterval(timer));
        await checking;
        await runner.close();
        await Promise.all([database.close(), storage?.close(), operations.close()]);
    };
    let closed: Promise<void> | undefined;

    return {
        async start() {
            await operations.start();
            await waitForSchema(database, { signal: closing.signal, logger });
            if (storage !== undefined) {
                await waitForStorage(storage, { signal: closing.signal, logger });
            }
            await runner.start?.();
            timers.push(
                setInterval(() => runner.wake(), pollMs),
                setInterval(check, tickMs),
            );
            runner.wake();
            operations.started();
        },
        close: () => (closed ??= close()),
    };
}
