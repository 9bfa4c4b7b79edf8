import { advice } from "./advice.js";
import { type CallContext, describeSubject, StaticExportError } from "./static-export-error.js";

/**
 * A request that starts something was sent, and nobody can say whether it took effect: the API has no idempotency key
 * and no list of jobs. It is never repeated. `cause` is the failure itself.
 */
export class AmbiguousStartError extends StaticExportError {
    constructor(context: CallContext, cause: StaticExportError) {
        const effect = {
            export: "an export job may or may not have been started",
            agent: "the agent may or may not have got the prompt",
            download: "",
        }[context.subject];
        super(
            `${describeSubject(context)}: ${effect}, so the request was not repeated. ` +
                `${context.subject === "agent" ? advice.ambiguousPrompt : advice.ambiguousStart} Cause: ${cause.message}`,
            context,
            cause,
        );
    }
}
