import { advice, jobKindOf } from "./advice.js";
import { type CallContext, describeCall, describeSubject, StaticExportError } from "./static-export-error.js";

/** The job ended with the status `failed`: waiting longer or resuming it does not help. */
export class JobFailedError extends StaticExportError {
    /** The job's own reason, bounded and on one line; absent if the API gives none. */
    readonly reason: string | undefined;

    constructor(context: CallContext, reason: string | undefined) {
        const summary = `failed: ${reason ?? "the API gives no reason"}`;
        const next = advice.jobFailed[jobKindOf(context)];
        const correct = reason === undefined ? "Look for the reason at the platform" : "Correct the reason";
        super(
            `${describeSubject(context)} ${summary} ${describeCall(context)}. ${correct}, then ${next}`,
            summary,
            context,
        );
        this.reason = reason;
    }
}
