import { advice, jobKindOf } from "./advice.js";
import {
    type CallContext,
    describeCall,
    describeFailure,
    describeSubject,
    StaticExportError,
} from "./static-export-error.js";

const startOf = {
    agent: { effect: "the agent may or may not have received the prompt", advice: advice.ambiguousPrompt },
    export: { effect: "an export job may or may not have been started", advice: advice.ambiguousStart },
    update: { effect: "an update may or may not have been started", advice: advice.ambiguousUpdate },
};

/**
 * A request that starts something was sent, but whether it took effect is unknown. The request was repeated only if
 * the server honours idempotency keys. `cause` is the original error.
 */
export class AmbiguousStartError extends StaticExportError {
    constructor(context: CallContext, cause: StaticExportError, isRepeated = false) {
        const start = startOf[jobKindOf(context)];
        const repetition = isRepeated
            ? "and a repetition of the request, with the same Idempotency-Key, failed too"
            : "and the request was not repeated";
        const summary = `${cause.summary}; ${start.effect}, ${repetition}`;
        super(describeFailure(context, summary, start.advice), summary, context, cause);
    }
}

/** The job ended with the status `failed`: waiting longer or resuming it does not help. */
export class JobFailedError extends StaticExportError {
    /** The job's own reason, shortened to one line. Absent if the API gives none. */
    readonly reason: string | undefined;

    constructor(context: CallContext, reason: string | undefined) {
        const summary = `failed: ${reason ?? "the API gives no reason"}`;
        const next = advice.jobFailed[jobKindOf(context)];
        const correct = reason === undefined ? "Look up the reason on the platform" : "Correct the reason";
        super(
            `${describeSubject(context)} ${summary} ${describeCall(context)}. ${correct}, then ${next}`,
            summary,
            context,
        );
        this.reason = reason;
    }
}

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
