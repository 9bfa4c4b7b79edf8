import { BundleError, JobFailedError, PollTimeoutError, StaticExportError } from "@pulumi-static-export/sdk";
import { PublishError } from "@pulumi-static-export/sdk/publish";
import { InterruptedError } from "../command-line/interruption.js";
import { withOptionNames } from "../command-line/option-names.js";
import { SaveTimeoutError } from "./save-bundle.js";

/** The job failed, its bundle was rejected, or its site could not be published. */
export const failedExitCode = 1;
/** The job is not done, or the wait timed out. */
export const notDoneExitCode = 3;
/** A request failed. */
export const requestExitCode = 5;

/** The exit code for an error of a command about export jobs; undefined for a bug in this program. */
function exitCodeFor(error: unknown): number | undefined {
    if (error instanceof InterruptedError) {
        return error.exitCode;
    }
    if (error instanceof JobFailedError || error instanceof BundleError || error instanceof PublishError) {
        return failedExitCode;
    }
    if (error instanceof PollTimeoutError || error instanceof SaveTimeoutError) {
        return notDoneExitCode;
    }
    return error instanceof StaticExportError ? requestExitCode : undefined;
}

/**
 * Prints an error of a command as one sentence.
 *
 * @param advice - an additional line
 * @returns the exit code
 * @throws errors that are bugs in this program
 */
export function reportError(error: unknown, advice?: string): number {
    const exitCode = exitCodeFor(error);
    if (exitCode === undefined) {
        throw error;
    }
    console.error(`error: ${withOptionNames((error as Error).message)}${advice === undefined ? "" : `\n${advice}`}`);
    return exitCode;
}
