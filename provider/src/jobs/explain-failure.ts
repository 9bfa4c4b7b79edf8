import { apiSettings, apiVariables } from "@pulumi-static-export/contract";
import { AmbiguousStartError, HttpError } from "@pulumi-static-export/sdk";
import type { KeySource } from "../engine/admin-api-settings.js";
import { isLost } from "./job-errors.js";

const keySteps: Record<KeySource, string> = {
    configuration: `Set it with \`pulumi config set --secret ${apiSettings.adminApiKey}\`.`,
    environment: `The key was read from the environment variable ${apiVariables.adminApiKey}.`,
};

/** During a refresh, Pulumi configures the provider from the stack's state, not from its configuration. */
const refreshUsesLastKey =
    "A refresh uses the key of the last `pulumi up`: after rotating the key, run `pulumi up` first, or " +
    "`pulumi refresh --run-program`.";

/** Returns the source of the client's key. Called only after a client was created. */
export type FindKeySource = () => KeySource | undefined;

/** The next steps that messages suggest. */
export interface JobWords {
    /** Used if it is unknown whether the request had an effect. */
    unanswered: string;
    /** Used after a job that failed or is gone. */
    lost: string;
    /** Used after a job that failed or is gone, if the program sets that job. */
    namedLost: string;
}

/**
 * Returns the next steps for a resource that runs jobs.
 *
 * @param startAgain - the effect of a new job, such as `export again`
 */
export function jobWordsOf({
    resource,
    jobId,
    startAgain,
}: Record<"resource" | "jobId" | "startAgain", string>): JobWords {
    return {
        unanswered:
            `To adopt a job, set \`jobId: "${jobId}"\` in the arguments of the ${resource}. ` +
            "Otherwise, the next `pulumi up` starts another one.",
        lost: "The next `pulumi up` starts a new job.",
        namedLost: `The program names this job: remove jobId to ${startAgain}, or name another job.`,
    };
}

/** Adds the next step in Pulumi's terms to the sdk's message about the platform. */
export function explain(
    error: unknown,
    namedJobId: string | undefined,
    words: JobWords,
    keySource: FindKeySource,
): Error {
    return withNextStep(error, nextStep(error, namedJobId, words), keySource);
}

/** Explains a failure whose job is saved in the state. */
export function explainPending(error: unknown, jobId: string, keySource: FindKeySource): Error {
    const step = `Job ${jobId} is saved in the stack's state: the next \`pulumi up\` resumes it.`;
    return withNextStep(error, step, keySource);
}

/** Explains a failed refresh, which changes nothing. */
export function explainRefresh(error: unknown, subject: string, keySource: FindKeySource): Error {
    if (!isRefusedKey(error)) {
        return new RefreshError(subject, error);
    }
    const source = keySource() ?? "configuration";
    const steps = source === "configuration" ? [keySteps[source], refreshUsesLastKey] : [keySteps[source]];
    return new RefreshError(subject, withSteps(error, steps));
}

/** For a failed read, Pulumi prints `${error}: ${error.stack}` and then the message again. */
class RefreshError extends Error {
    override readonly name = "RefreshError";
    readonly #subject: string;

    constructor(subject: string, cause: unknown) {
        super(cause instanceof Error ? cause.message : String(cause));
        this.#subject = subject;
        this.stack = "see the error of the resource";
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
    return "This run started nothing and left the stack's state unchanged: run `pulumi up` again.";
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
