/** Which call about which job went wrong. Holds no secret: `url` has neither query nor credentials. */
export interface CallContext {
    /** What the call is about. */
    readonly subject: "export" | "agent" | "download";
    /** Method and path, such as `GET /v1/static-export/jobs/se_42`. */
    readonly operation: string;
    /** The address without query, credentials and fragment. */
    readonly url: string;
    readonly jobId?: string | undefined;
    readonly domain?: string | undefined;
    readonly projectId?: string | undefined;
}

/** Base of every error this package throws, except for aborts, which rethrow `signal.reason`. */
export abstract class StaticExportError extends Error {
    /** The job the error is about, so that a caller can save it and resume. */
    readonly jobId: string | undefined;
    readonly domain: string | undefined;
    readonly operation: string | undefined;
    /** Without query, credentials and fragment. */
    readonly url: string | undefined;
    readonly #summary: string;

    /** @param summary - what went wrong in a few words, without subject, call and advice */
    protected constructor(message: string, summary: string, context?: CallContext, cause?: unknown) {
        super(message, cause === undefined ? undefined : { cause });
        this.name = new.target.name;
        this.#summary = summary;
        this.jobId = context?.jobId;
        this.domain = context?.domain;
        this.operation = context?.operation;
        this.url = context?.url;
    }

    /** What went wrong in a few words, such as `the server answered 502 Bad Gateway`, for lines that name the job. */
    get summary(): string {
        return this.#summary;
    }
}

/** `Export job se_42 of docs.example.com`: how a message names what it is about. */
export function describeSubject({ subject, jobId, domain, projectId }: Omit<CallContext, "operation" | "url">): string {
    switch (subject) {
        case "download":
            return "Bundle download";
        case "agent":
            return `Agent job${part(" ", jobId)}${part(" of project ", projectId)}`;
        case "export":
            return `Export${part(" job ", jobId)}${part(" of ", domain)}`;
    }
}

function part(before: string, value: string | undefined): string {
    return value === undefined ? "" : `${before}${value}`;
}

/** `(GET /v1/static-export/jobs/se_42 at https://api.example.com)`: operation and address without query. */
export function describeCall({ operation, url }: CallContext): string {
    const path = operation.slice(operation.indexOf(" ") + 1);
    return `(${operation} at ${url.endsWith(path) ? url.slice(0, -path.length) : url})`;
}

/** Identity, what went wrong, operation, what to do next: the form of nearly every message. */
export function describeFailure(context: CallContext, summary: string, advice: string): string {
    return `${describeSubject(context)}: ${summary} ${describeCall(context)}. ${advice}`;
}
