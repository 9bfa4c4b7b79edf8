import { advice } from "./advice.js";
import { type CallContext, describeFailure, StaticExportError } from "./static-export-error.js";

/**
 * A request that starts something was sent, and nobody can say whether it took effect: the API has no idempotency key
 * and no list of jobs. It is never repeated. `cause` is the failure itself.
 */
export class AmbiguousStartError extends StaticExportError {
    constructor(context: CallContext, cause: StaticExportError) {
        const isAgent = context.subject === "agent";
        const effect = isAgent
            ? "the agent may or may not have got the prompt"
            : "an export job may or may not have been started";
        const summary = `${cause.summary}; ${effect}, and the request was not repeated`;
        super(
            describeFailure(context, summary, isAgent ? advice.ambiguousPrompt : advice.ambiguousStart),
            summary,
            context,
            cause,
        );
    }
}
