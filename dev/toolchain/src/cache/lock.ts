import { setTimeout } from "node:timers/promises";
import { lock } from "proper-lockfile";

/** How often a waiting process retries. */
const lookIntervalMs = 300;

/** A lock that was not renewed for this long is assumed to belong to a killed process. */
const staleAfterMs = 15_000;

interface LockOptions {
    /** Called once, if another process holds the lock. */
    readonly onWait: () => void;
    readonly signal: AbortSignal | undefined;
}

/**
 * Runs `work` while no other process on this machine runs work under the same lock. After 15 s, another process takes
 * over the lock of a killed owner.
 *
 * The lock only prevents duplicate work. Callers must stay correct without the lock, because a process that was
 * suspended for minutes loses its lock without noticing.
 */
export async function withLock<T>(lockPath: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
    const release = await acquire(lockPath, options);
    try {
        return await work();
    } finally {
        // Releasing the lock fails if it was lost meanwhile, but then there is nothing to release.
        await release().catch(() => undefined);
    }
}

async function acquire(lockPath: string, { onWait, signal }: LockOptions): Promise<() => Promise<void>> {
    for (let waiting = false; ;) {
        signal?.throwIfAborted();
        try {
            return await lock(lockPath, {
                realpath: false,
                lockfilePath: lockPath,
                stale: staleAfterMs,
                onCompromised: () => undefined,
            });
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== "ELOCKED") {
                throw error;
            }
        }
        if (!waiting) {
            waiting = true;
            onWait();
        }
        // The start of the loop throws the signal's own reason after an abort.
        await setTimeout(lookIntervalMs, undefined, { signal }).catch(() => undefined);
    }
}
