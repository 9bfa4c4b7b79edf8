import { advice } from "./advice.js";
import { type CallContext, describeFailure, StaticExportError } from "./static-export-error.js";

/** The response violates the contract: a missing field, a wrong type, an HTML page, truncated JSON. */
export class InvalidResponseError extends StaticExportError {
    readonly status: number;
    /** The problem, such as `jobId must be a non-empty string, got nothing`. */
    readonly problem: string;

    constructor(context: CallContext, status: number, problem: string) {
        const summary = `the server answered ${status}, but ${problem}`;
        super(describeFailure(context, summary, advice.invalidResponse), summary, context);
        this.status = status;
        this.problem = problem;
    }
}
