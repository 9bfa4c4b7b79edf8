/** Identifies the failed call and its job. Contains no secret: `url` excludes the query and credentials. */
export interface CallContext {
    /** The subject of the call. */
    readonly subject: "export" | "history" | "cancel" | "agent" | "update" | "administration" | "download";
    /** Method and path, such as `GET /v1/static-export/jobs/se_42`. */
    readonly operation: string;
    /** The URL without query, credentials and fragment. */
    readonly url: string;
    readonly jobId?: string | undefined;
    readonly domain?: string | undefined;
    readonly projectId?: string | undefined;
}

/** The base class of the errors of this package, except `ProxySettingError`. Aborts throw `signal.reason` instead. */
export abstract class StaticExportError extends Error {
    /** The job that the error is about, so that a caller can save it and resume. */
    readonly jobId: string | undefined;
    readonly domain: string | undefined;
    readonly operation: string | undefined;
    /** Without query, credentials and fragment. */
    readonly url: string | undefined;
    readonly #summary: string;

    /** @param summary - the problem in a few words, without subject, call and advice */
    protected constructor(message: string, summary: string, context?: CallContext, cause?: unknown) {
        super(message, cause === undefined ? undefined : { cause });
        this.name = new.target.name;
        this.#summary = summary;
        this.jobId = context?.jobId;
        this.domain = context?.domain;
        this.operation = context?.operation;
        this.url = context?.url;
    }

    /** The problem in a few words, such as `the server answered 502 Bad Gateway`, for log lines that name the job. */
    get summary(): string {
        return this.#summary;
    }
}

/** Names the subject of a message: `Export job se_42 of docs.example.com`. */
export function describeSubject({ subject, jobId, domain, projectId }: Omit<CallContext, "operation" | "url">): string {
    switch (subject) {
        case "download":
            return "Bundle download";
        case "agent":
            return `Agent job${part(" ", jobId)}${part(" of project ", projectId)}`;
        case "update":
            return `Documentation update${part(" ", jobId)}${part(" of project ", projectId)}`;
        case "export":
        case "cancel":
            return `Export${part(" job ", jobId)}${part(" of ", domain)}`;
        case "history":
            return `Exports${part(" of ", domain)}`;
        case "administration":
            return `Administration${part(" of ", domain)}`;
    }
}

function part(before: string, value: string | undefined): string {
    return value === undefined ? "" : `${before}${value}`;
}

/**
 * Formats the operation and the URL without its query: `(GET /v1/static-export/jobs/se_42 at https://api.example.com)`.
 */
export function describeCall({ operation, url }: CallContext): string {
    const path = operation.slice(operation.indexOf(" ") + 1);
    return `(${operation} at ${url.endsWith(path) ? url.slice(0, -path.length) : url})`;
}

/** Builds a message in the common form: subject, problem, operation, next step. */
export function describeFailure(context: CallContext, summary: string, advice: string): string {
    return `${describeSubject(context)}: ${summary} ${describeCall(context)}. ${advice}`;
}

/** A setting or argument was refused before any request. Never shows the key. */
export class InvalidSettingsError extends StaticExportError {
    /** The setting, such as `adminApiKey`. */
    readonly setting: string;

    /** @param problem - follows the name of the setting in the message, such as `must not be empty` */
    constructor(setting: string, problem: string) {
        super(`${setting} ${problem}`, `${setting} ${problem}`);
        this.setting = setting;
    }
}
