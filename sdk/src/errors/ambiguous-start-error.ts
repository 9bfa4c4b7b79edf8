import { advice, jobKindOf } from "./advice.js";
import { type CallContext, describeFailure, StaticExportError } from "./static-export-error.js";

const startOf = {
    agent: { effect: "the agent may or may not have got the prompt", advice: advice.ambiguousPrompt },
    export: { effect: "an export job may or may not have been started", advice: advice.ambiguousStart },
    update: { effect: "an update may or may not have been started", advice: advice.ambiguousUpdate },
};

/**
 * A request that starts something was sent, but it is unknown whether it took effect. The request was repeated only if
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
