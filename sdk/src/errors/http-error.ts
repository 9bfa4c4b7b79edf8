import { STATUS_CODES } from "node:http";
import { statusAdvice, storageAdvice } from "./advice.js";
import { type CallContext, describeFailure, StaticExportError } from "./static-export-error.js";

/** The server answered with a status other than success. */
export class HttpError extends StaticExportError {
    readonly status: number;
    /** The `error` text of the body: bounded, on one line, without the key. */
    readonly serverMessage: string | undefined;
    /** The server's `Retry-After`, unbounded. */
    readonly retryAfterMs: number | undefined;

    constructor(
        context: CallContext,
        answer: {
            status: number;
            serverMessage?: string | undefined;
            retryAfterMs?: number | undefined;
            /** Whether the response came from the self-hosted service. */
            isSelfHosted?: boolean;
            /** Whether the response came from S3-compatible storage. */
            isStorage?: boolean;
        },
    ) {
        const reason = STATUS_CODES[answer.status];
        const said = answer.serverMessage === undefined ? "" : `: "${answer.serverMessage}"`;
        const summary = `the server answered ${answer.status}${reason ? ` ${reason}` : ""}${said}`;
        super(
            describeFailure(
                context,
                summary,
                answer.isStorage === true
                    ? storageAdvice
                    : statusAdvice(context, answer.status, answer.isSelfHosted, answer.serverMessage),
            ),
            summary,
            context,
        );
        this.status = answer.status;
        this.serverMessage = answer.serverMessage;
        this.retryAfterMs = answer.retryAfterMs;
    }
}
