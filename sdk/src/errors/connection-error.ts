import { advice } from "./advice.js";
import { type CallContext, describeCall, describeSubject, StaticExportError } from "./static-export-error.js";

/** `reset` may have reached the server; the others never carried the request. */
export type ConnectionFailure = "dns" | "tls" | "refused" | "unreachable" | "reset";

const whatHappened: Record<ConnectionFailure, string> = {
    dns: "its host name could not be resolved",
    tls: "no trusted TLS connection could be made",
    refused: "the connection was refused",
    unreachable: "its address could not be reached",
    reset: "the connection was lost before the answer was complete",
};

/** The server could not be reached, or the connection broke. */
export class ConnectionError extends StaticExportError {
    readonly failure: ConnectionFailure;
    /** The system's code, such as `ENOTFOUND`. */
    readonly code: string | undefined;

    constructor(context: CallContext, failure: ConnectionFailure, code: string | undefined, cause: unknown) {
        super(
            `${describeSubject(context)}: ${whatHappened[failure]}${code === undefined ? "" : `, ${code}`} ` +
                `${describeCall(context)}. ${advice.connection[failure]}`,
            context,
            cause,
        );
        this.failure = failure;
        this.code = code;
    }

    /** True when the request provably never reached the server, so that repeating it cannot start anything twice. */
    get neverSent(): boolean {
        return this.failure !== "reset";
    }
}
