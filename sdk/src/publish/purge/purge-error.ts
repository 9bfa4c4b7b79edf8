import { PublishError } from "../errors/publish-error.js";

/** A CDN could not be purged. The site is live, so only the purge is repeated. */
export class PurgeError extends PublishError {
    override readonly name = "PurgeError";

    constructor(what: string, reason: string, advice = "") {
        super(
            `${what} could not be purged (${reason}). ${advice === "" ? "" : `${advice} `}The site is live, and the next ` +
                "run purges it without uploading again.",
        );
    }
}
