import { advice } from "./advice.js";
import { type CallContext, describeFailure, StaticExportError } from "./static-export-error.js";

/**
 * A request that starts something was sent, but it is unknown whether it took effect. It was repeated only if the
 * server honours idempotency keys. `cause` is the original error.
 */
export class AmbiguousStartError extends StaticExportError {
    constructor(context: CallContext, cause: StaticExportError, isRepeated = false) {
        const isAgent = context.subject === "agent";
        const effect = isAgent
            ? "the agent may or may not have got the prompt"
            : "an export job may or may not have been started";
        const repetition = isRepeated
            ? "and the request was repeated, with the same Idempotency-Key, without success"
            : "and the request was not repeated";
        const summary = `${cause.summary}; ${effect}, ${repetition}`;
        super(
            describeFailure(context, summary, isAgent ? advice.ambiguousPrompt : advice.ambiguousStart),
            summary,
            context,
            cause,
        );
    }
}
