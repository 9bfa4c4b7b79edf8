import { AmbiguousStartError, HttpError } from "@pulumi-static-export/sdk";
import { isLost } from "./export-run.js";
import type { BundleInputs } from "./model.js";

const setKey = "The command for it is `pulumi config set --secret static-export:adminApiKey`.";

/** The failure with what to do next in Pulumi's terms, after what the sdk says about the platform. */
export function explain(error: unknown, inputs: BundleInputs): Error {
    return withNextStep(error, nextStep(error, inputs));
}

/** The same for a failure whose job is kept in the state. */
export function explainPending(error: unknown, jobId: string): Error {
    return withNextStep(error, `Job ${jobId} is kept in the stack's state: the next \`pulumi up\` continues it.`);
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
    return "Nothing was started and nothing has changed: run `pulumi up` again.";
}

function withNextStep(error: unknown, step: string): Error {
    const message = error instanceof Error ? error.message : String(error);
    const isRefusedKey = error instanceof HttpError && error.status === 401;
    return new Error([message, ...(isRefusedKey ? [setKey] : []), step].join(" "), { cause: error });
}
