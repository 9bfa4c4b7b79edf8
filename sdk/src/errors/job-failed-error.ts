import { advice } from "./advice.js";
import { type CallContext, describeCall, describeSubject, StaticExportError } from "./static-export-error.js";

/** The job itself ended `failed`: waiting longer or resuming it cannot help. */
export class JobFailedError extends StaticExportError {
    /** What the job said, bounded and on one line; absent when the API gives no reason. */
    readonly reason: string | undefined;

    constructor(context: CallContext, reason: string | undefined) {
        const summary = `failed: ${reason ?? "the API gives no reason"}`;
        const next = context.subject === "agent" ? advice.agentJobFailed : advice.exportJobFailed;
        const correct = reason === undefined ? "Look for the reason at the platform" : "Correct the reason";
        super(
            `${describeSubject(context)} ${summary} ${describeCall(context)}. ${correct}, then ${next}`,
            summary,
            context,
        );
        this.reason = reason;
    }
}
