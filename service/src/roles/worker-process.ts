import { type Retention } from "../jobs/retention.js";
import { type Runner } from "../jobs/runner.js";
import { type Parts } from "./open-parts.js";

/** Runs jobs that services with the same database have queued. */
export interface Worker {
    /** Waits for the database, its schema and the storage. Resolves when the worker looks for jobs. */
    start(): Promise<void>;
    /** Interrupts its jobs, gives them back, and releases all resources. */
    close(): Promise<void>;
}

/**
 * The common part of all workers.
 *
 * @param retention - of a worker that removes what is out of date
 */
export function createWorkerProcess(parts: Parts, runner: Runner, retention?: Retention): Worker {
    const { monitoring } = parts;
    const closing = new AbortController();
    const close = async (): Promise<void> => {
        closing.abort();
        monitoring.closing();
        await Promise.all([runner.close(), retention?.close()]);
        await parts.close();
    };
    let closed: Promise<void> | undefined;

    return {
        async start() {
            await monitoring.start(parts);
            await parts.waitUntilReady(closing.signal);
            await runner.start();
            retention?.start();
            monitoring.started();
        },
        close: () => (closed ??= close()),
    };
}
