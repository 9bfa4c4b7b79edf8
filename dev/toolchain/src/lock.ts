import { setTimeout } from "node:timers/promises";
import { lock } from "proper-lockfile";

/** How often a waiting process looks again. */
const lookIntervalMs = 300;

/** A lock that its owner has not renewed for so long belongs to a process that was killed. */
const staleAfterMs = 15_000;

export interface LockOptions {
    /** Called once if another process holds the lock. */
    readonly onWait: () => void;
    readonly signal: AbortSignal | undefined;
}

/**
 * Runs `work` while no other process on this machine runs work under the same lock. A lock whose owner was killed is
 * taken over after 15 s.
 *
 * It only saves work. Whoever relies on it must stay correct without it, because a process that slept for minutes
 * loses its lock unknowingly.
 */
export async function withLock<T>(lockPath: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
    const release = await acquire(lockPath, options);
    try {
        return await work();
    } finally {
        // A lock that was lost meanwhile has nothing left to release.
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
        // The loop's start throws the signal's own reason.
        await setTimeout(lookIntervalMs, undefined, { signal }).catch(() => undefined);
    }
}
