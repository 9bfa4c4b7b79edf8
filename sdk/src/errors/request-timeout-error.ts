import { advice } from "./advice.js";
import { type CallContext, describeFailure, StaticExportError } from "./static-export-error.js";

/** One request did not finish in time. The job itself is not affected. */
export class RequestTimeoutError extends StaticExportError {
    readonly timeoutMs: number;

    constructor(context: CallContext, timeoutMs: number) {
        const isDownload = context.subject === "download";
        const summary = `${isDownload ? "nothing arrived for" : "no complete answer within"} ${timeoutMs} ms`;
        const next = isDownload ? advice.idleDownload : advice.requestTimeout;
        super(describeFailure(context, summary, next), summary, context);
        this.timeoutMs = timeoutMs;
    }
}
