import { PublishError } from "../errors/publish-error.js";

/** The consequence of a purge that failed. */
export const nextRunPurges = "The site is live, and the next run purges it without uploading again.";

/** A CDN could not be purged. The site is live, so only the purge is repeated. */
export class PurgeError extends PublishError {
    override readonly name = "PurgeError";

    /** @param retryAfterMs - when the same request may succeed; undefined if it would fail again */
    constructor(
        what: string,
        reason: string,
        advice = "",
        readonly retryAfterMs?: number,
    ) {
        super(`${what} could not be purged (${reason}). ${advice === "" ? "" : `${advice} `}${nextRunPurges}`);
    }
}
