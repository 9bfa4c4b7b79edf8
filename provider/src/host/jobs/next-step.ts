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

/** How messages tell what to do about a job. */
export interface JobWords {
    /** What to do where nobody knows whether the request took effect. */
    unanswered: string;
    /** What comes after a job that failed or is gone. */
    lost: string;
    /** The same where the program names it. */
    namedLost: string;
}

/**
 * The words for a resource that runs jobs.
 *
 * @param anew - what a new job does, such as `export anew`
 */
export function jobWordsOf({ resource, jobId, anew }: { resource: string; jobId: string; anew: string }): JobWords {
    return {
        unanswered:
            `A job is adopted by \`jobId: "${jobId}"\` in the arguments of the ${resource}; ` +
            "without it the next `pulumi up` starts another one.",
        lost: "The next `pulumi up` starts a new job.",
        namedLost: `The program names this job: take jobId out of it to ${anew}, or name another job.`,
    };
}

/** The failure with what to do next in Pulumi's terms, after what the sdk says about the platform. */
export function explain(
    error: unknown,
    namedJobId: string | undefined,
    words: JobWords,
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

function nextStep(error: unknown, namedJobId: string | undefined, words: JobWords): string {
    if (error instanceof AmbiguousStartError) {
        return words.unanswered;
    }
    if (isLost(error) && error.jobId !== undefined) {
        return error.jobId === namedJobId ? words.namedLost : words.lost;
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
