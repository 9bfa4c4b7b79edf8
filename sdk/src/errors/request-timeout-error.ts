import { advice } from "./advice.js";
import { type CallContext, describeCall, describeSubject, StaticExportError } from "./static-export-error.js";

/** One request did not finish in time. Says nothing about the job, which goes on. */
export class RequestTimeoutError extends StaticExportError {
    readonly timeoutMs: number;

    constructor(context: CallContext, timeoutMs: number) {
        const isDownload = context.subject === "download";
        super(
            `${describeSubject(context)}: ${isDownload ? "nothing arrived for" : "no complete answer within"} ` +
                `${timeoutMs} ms ${describeCall(context)}. ${isDownload ? advice.idleDownload : advice.requestTimeout}`,
            context,
        );
        this.timeoutMs = timeoutMs;
    }
}
