import type { StaticExportError } from "../errors/index.js";

/** What every call takes. */
export interface CallOptions {
    /** Aborting rejects with `signal.reason`. */
    signal?: AbortSignal | undefined;
    /** Instant (milliseconds since the epoch, on the client's clock) after which nothing is retried any more. */
    deadlineMs?: number | undefined;
}

/** What calls that start something take. */
export interface StartOptions extends CallOptions {
    /**
     * Names this start: the repetitions of one start share a key, also those of a later process. At most 255 visible
     * ASCII characters, different for different starts.
     * @default a random one for each call
     */
    idempotencyKey?: string | undefined;
}

/** What calls about an export job take. */
export interface ExportCallOptions extends CallOptions {
    /** Named in messages; not sent. */
    domain?: string | undefined;
}

/** How to wait for a job. */
export interface WaitOptions<Job> {
    /**
     * How long to wait. The last poll is made when it is over.
     * @default 3_600_000 (one hour)
     */
    timeoutMs?: number | undefined;
    /** The earlier of this and `timeoutMs` counts. Milliseconds since the epoch, on the client's clock. */
    deadlineMs?: number | undefined;
    /** Called with the job after every successful poll, the last one included. What it throws ends the wait. */
    onProgress?: ((job: Job) => void) | undefined;
    /** Called when a poll failed and will be repeated. What it throws ends the wait. */
    onRetry?: ((error: StaticExportError) => void) | undefined;
    signal?: AbortSignal | undefined;
}
