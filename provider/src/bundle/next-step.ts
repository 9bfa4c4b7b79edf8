import { AmbiguousStartError, HttpError } from "@pulumi-static-export/sdk";
import { isLost } from "./lost-job.js";
import type { BundleInputs } from "./model.js";

const setKey = "The command for it is `pulumi config set --secret static-export:adminApiKey`.";

/** Pulumi configures the provider of a refresh from the stack's state and not from its configuration. */
const refreshUsesLastKey =
    "A refresh sends the key of the last `pulumi up`: after a key was rotated run `pulumi up` first, or " +
    "`pulumi refresh --run-program`.";

/** The failure with what to do next in Pulumi's terms, after what the sdk says about the platform. */
export function explain(error: unknown, inputs: BundleInputs): Error {
    return withNextStep(error, nextStep(error, inputs));
}

/** The same for a failure whose job is kept in the state. */
export function explainPending(error: unknown, jobId: string): Error {
    return withNextStep(error, `Job ${jobId} is kept in the stack's state: the next \`pulumi up\` continues it.`);
}

/** The same for a refresh, which changes nothing when it fails. */
export function explainRefresh(error: unknown): unknown {
    return isRefusedKey(error) ? withSteps(error, [setKey, refreshUsesLastKey]) : error;
}

function nextStep(error: unknown, { jobId }: BundleInputs): string {
    if (error instanceof AmbiguousStartError) {
        return (
            "A job is adopted by `jobId: \"se_…\"` in the arguments of the StaticExportBundle; " +
            "without it the next `pulumi up` starts another one."
        );
    }
    if (isLost(error) && error.jobId !== undefined) {
        return error.jobId === jobId
            ? "The program names this job: take jobId out of it to export anew, or name another job."
            : "The next `pulumi up` starts a new job.";
    }
    return "This run started nothing, and the stack's state is as it was: run `pulumi up` again.";
}

function withNextStep(error: unknown, step: string): Error {
    return withSteps(error, [...(isRefusedKey(error) ? [setKey] : []), step]);
}

function isRefusedKey(error: unknown): boolean {
    return error instanceof HttpError && error.status === 401;
}

function withSteps(error: unknown, steps: readonly string[]): Error {
    const message = error instanceof Error ? error.message : String(error);
    return new Error([message, ...steps].join(" "), { cause: error });
}
