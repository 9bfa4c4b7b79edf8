import { AmbiguousStartError, HttpError } from "@pulumi-static-export/sdk";
import type { KeySource } from "../settings.js";
import { isLost } from "./lost-job.js";

const keySteps: Record<KeySource, string> = {
    configuration: "The command for it is `pulumi config set --secret static-export:adminApiKey`.",
    environment: "The refused key comes from the environment variable STATIC_EXPORT_ADMIN_API_KEY.",
};

/** Pulumi configures the provider of a refresh from the stack's state and not from its configuration. */
const refreshUsesLastKey =
    "A refresh sends the key of the last `pulumi up`: after a key was rotated run `pulumi up` first, or " +
    "`pulumi refresh --run-program`.";

/** Where the key was read that the client sends. Asked only after a client was made. */
export type FindKeySource = () => KeySource | undefined;

/** How messages speak of a resource that runs jobs. */
export interface ResourceWords {
    /** Such as `StaticExportBundle`. */
    resource: string;
    /** Such as `se_…`. */
    jobId: string;
    /** What a new job does, such as `export anew`. */
    anew: string;
}

/** The failure with what to do next in Pulumi's terms, after what the sdk says about the platform. */
export function explain(
    error: unknown,
    namedJobId: string | undefined,
    words: ResourceWords,
    keySource: FindKeySource,
): Error {
    return withNextStep(error, nextStep(error, namedJobId, words), keySource);
}

/** The same for a failure whose job is kept in the state. */
export function explainPending(error: unknown, jobId: string, keySource: FindKeySource): Error {
    const step = `Job ${jobId} is kept in the stack's state: the next \`pulumi up\` continues it.`;
    return withNextStep(error, step, keySource);
}

/** The same for a refresh, which changes nothing when it fails. */
export function explainRefresh(error: unknown, subject: string, keySource: FindKeySource): Error {
    if (!isRefusedKey(error)) {
        return new RefreshError(subject, error);
    }
    const source = keySource() ?? "configuration";
    const steps = source === "configuration" ? [keySteps[source], refreshUsesLastKey] : [keySteps[source]];
    return new RefreshError(subject, withSteps(error, steps));
}

/** Pulumi prints `${error}: ${error.stack}` of a failed read, and then its message once more. */
class RefreshError extends Error {
    override readonly name = "RefreshError";
    readonly #subject: string;

    constructor(subject: string, cause: unknown) {
        super(cause instanceof Error ? cause.message : String(cause));
        this.#subject = subject;
        this.stack = "the error of the resource says why";
    }

    override toString(): string {
        return `${this.#subject} could not be refreshed`;
    }
}

function nextStep(error: unknown, namedJobId: string | undefined, words: ResourceWords): string {
    if (error instanceof AmbiguousStartError) {
        return (
            `A job is adopted by \`jobId: "${words.jobId}"\` in the arguments of the ${words.resource}; ` +
            "without it the next `pulumi up` starts another one."
        );
    }
    if (isLost(error) && error.jobId !== undefined) {
        return error.jobId === namedJobId
            ? `The program names this job: take jobId out of it to ${words.anew}, or name another job.`
            : "The next `pulumi up` starts a new job.";
    }
    return "This run started nothing, and the stack's state is as it was: run `pulumi up` again.";
}

function withNextStep(error: unknown, step: string, keySource: FindKeySource): Error {
    return withSteps(error, [...(isRefusedKey(error) ? [keySteps[keySource() ?? "configuration"]] : []), step]);
}

function isRefusedKey(error: unknown): boolean {
    return error instanceof HttpError && error.status === 401;
}

function withSteps(error: unknown, steps: readonly string[]): Error {
    const message = error instanceof Error ? error.message : String(error);
    return new Error([message, ...steps].join(" "), { cause: error });
}
