import type { Gate } from "@pulumi-static-export/sdk/internal";
import { seconds } from "./check-inputs.js";
import type { OperationContext } from "./operation-context.js";

/** How long one run may wait for a job: at most a week. */
export const jobTimeout = seconds(1, 7 * 24 * 3600);

/** How long one transfer of a bundle may take: at most a day. */
export const transferTimeout = seconds(1, 24 * 3600);

const defaultTimeoutSeconds = 3600;

/** Returns how long one run of a resource may take. */
export function timeoutMsOf(
    { timeoutSeconds }: Pick<OperationContext, "timeoutSeconds">,
    inputs: { timeoutSeconds?: number },
): number {
    return (timeoutSeconds ?? inputs.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
}

/** The process in which bundles are copied, checked and published. */
export interface TransferContext extends Pick<OperationContext, "signal"> {
    engine: {
        /**
         * Keeps the process alive until work has ended, so that the work can clean up if the engine exits meanwhile.
         */
        finish<T>(work: () => Promise<T>): Promise<T>;
    };
}

/**
 * Runs `work` when the gate has a place for it, and until it ends, the timeout is over, or the engine ends the run.
 * @param timeoutMessage - the error after the timeout
 */
export function transfer<T>(
    { signal, engine }: TransferContext,
    gate: Gate,
    { timeoutMs, timeoutMessage }: { timeoutMs: number; timeoutMessage: string },
    work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
    return gate(signal, () => engine.finish(() => withTimeLimit(timeoutMs, timeoutMessage, signal, work)));
}

/**
 * Runs `work` with a signal that is aborted after the timeout and when `ended` is aborted. `AbortSignal.any` is not
 * used, because Node never frees its signals while they have listeners: the buffers of each copy of a mirror would stay
 * in memory.
 */
async function withTimeLimit<T>(
    timeoutMs: number,
    timeoutMessage: string,
    ended: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Error(timeoutMessage)), timeoutMs);
    const end = () => controller.abort(ended.reason);
    ended.addEventListener("abort", end);
    try {
        ended.throwIfAborted();
        return await work(controller.signal);
    } catch (error) {
        // Libraries reject with their own error, which hides the reason of the abort.
        controller.signal.throwIfAborted();
        throw error;
    } finally {
        clearTimeout(timer);
        ended.removeEventListener("abort", end);
    }
}
