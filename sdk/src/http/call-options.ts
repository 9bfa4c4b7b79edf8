import type { StaticExportError } from "../errors/index.js";

/** Options of every call. */
export interface CallOptions {
    /** Aborting rejects with `signal.reason`. */
    signal?: AbortSignal | undefined;
    /** Time after which nothing is retried, in milliseconds since the epoch, on the client's clock. */
    deadlineMs?: number | undefined;
}

/** Options of calls that start something. */
export interface StartOptions extends CallOptions {
    /**
     * Identifies this start: all retries of one start use the same key, even those of a later process. At most 255
     * visible ASCII characters, unique for each start.
     * @default a random key for each call
     */
    idempotencyKey?: string | undefined;
    /**
     * Aborting rejects with `waitSignal.reason`, but only between two attempts. An attempt in progress is not aborted,
     * because it may start something.
     */
    waitSignal?: AbortSignal | undefined;
}

/** The response to a start. */
export interface Replayable {
    /** Present if an earlier request with the same Idempotency-Key started the job, not this one. */
    isReplayed?: true;
    /**
     * Present with `isReplayed` if that request may have been an earlier attempt of this call, whose response was lost.
     */
    mayBeOwn?: true;
}

/** Options of calls about an export job. */
export interface ExportCallOptions extends CallOptions {
    /** Shown in messages, not sent. */
    domain?: string | undefined;
}

/** How to wait for a job. */
export interface WaitOptions<Job> {
    /**
     * How long to wait. The last poll is made at the end of this time.
     * @default 3_600_000 (one hour)
     */
    timeoutMs?: number | undefined;
    /**
     * The wait ends at this time or after `timeoutMs`, whichever is earlier. Milliseconds since the epoch, on the
     * client's clock.
     */
    deadlineMs?: number | undefined;
    /**
     * Called with the job after every successful poll, including the last one. If the callback throws, the wait
     * rejects.
     */
    onProgress?: ((job: Job) => void) | undefined;
    /** Called when a poll failed and will be retried. If the callback throws, the wait rejects. */
    onRetry?: ((error: StaticExportError) => void) | undefined;
    signal?: AbortSignal | undefined;
}
