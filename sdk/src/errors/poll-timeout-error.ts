import { advice, jobKindOf } from "./advice.js";
import { type CallContext, describeCall, describeSubject, StaticExportError } from "./static-export-error.js";

/** The wait reached its deadline. The job keeps running: wait for `jobId` again instead of starting another job. */
export class PollTimeoutError extends StaticExportError {
    /** The last known status; absent if no poll succeeded. */
    readonly lastStatus: string | undefined;
    readonly waitedMs: number;

    /** @param cause - the error of the last poll, if it failed */
    constructor(context: CallContext, lastStatus: string | undefined, waitedMs: number, cause?: unknown) {
        const seen = lastStatus === undefined ? "its status was never seen" : `its last status was "${lastStatus}"`;
        const failed = cause instanceof StaticExportError ? `, and the last poll failed: ${cause.summary}` : "";
        const summary = `was not done after ${Math.round(waitedMs / 1000)} s; ${seen}${failed}`;
        const next = advice.pollTimeout[jobKindOf(context)];
        super(`${describeSubject(context)} ${summary} ${describeCall(context)}. ${next}`, summary, context, cause);
        this.lastStatus = lastStatus;
        this.waitedMs = waitedMs;
    }
}
