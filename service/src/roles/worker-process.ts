import { WorkerReports, type WorkerState } from "../history/workers.js";
import { type Retention } from "../jobs/retention.js";
import { type AnyJobRunner } from "../jobs/runner.js";
import { ProcessStart } from "../shared/process-start.js";
import { type Parts } from "./open-parts.js";
import { type WatchedSites } from "./watched-sites.js";

/** Runs jobs that services with the same database have queued. */
export interface Worker {
    /**
     * Waits for the database, its schema and the storage. Resolves when the worker starts looking for jobs.
     *
     * @throws an AbortError if the worker was closed meanwhile
     */
    start(): Promise<void>;
    /** Interrupts its jobs, returns them to the queue, and releases all resources. */
    close(): Promise<void>;
}

/**
 * Creates the part that all workers share.
 *
 * @param forExports - the parts of an export worker, which also removes outdated data
 */
export function createWorkerProcess(
    parts: Parts,
    runner: AnyJobRunner,
    { kind, concurrency }: Pick<WorkerState, "kind" | "concurrency">,
    forExports?: { retention: Retention; sites: WatchedSites },
): Worker {
    const { monitoring } = parts;
    const reports = new WorkerReports(parts.workers, {
        id: parts.workerId,
        kind,
        concurrency,
        startedAt: new Date(parts.clock()),
    });
    const starting = new ProcessStart();
    const close = async (): Promise<void> => {
        starting.closing();
        monitoring.closing();
        forExports?.sites.close();
        await Promise.all([runner.close(() => parts.database.closing?.()), forExports?.retention.close()]);
        await reports.close();
        await parts.close();
        await starting.ended();
    };
    const start = async (signal: AbortSignal): Promise<void> => {
        await monitoring.start(parts);
        await parts.waitUntilReady(signal);
        await parts.untilReached(() => runner.start(), signal);
        signal.throwIfAborted();
        forExports?.retention.start();
        forExports?.sites.start();
        reports.start();
        monitoring.started();
    };
    let closed: Promise<void> | undefined;

    return {
        start: () => starting.run(start),
        close: () => (closed ??= close()),
    };
}
