import { BundleError, JobFailedError, PollTimeoutError, StaticExportError } from "@pulumi-static-export/sdk";
import { InterruptedError } from "./interruption.js";

/** The job failed, or its bundle was refused. */
export const failedExitCode = 1;
/** The job is not done, or was not in the time that was allowed. */
export const notDoneExitCode = 3;
const requestExitCode = 5;

/** How a command about export jobs ends for what went wrong; undefined for a mistake in this program. */
export function exitCodeFor(error: unknown): number | undefined {
    if (error instanceof InterruptedError) {
        return error.exitCode;
    }
    if (error instanceof JobFailedError || error instanceof BundleError) {
        return failedExitCode;
    }
    if (error instanceof PollTimeoutError) {
        return notDoneExitCode;
    }
    return error instanceof StaticExportError ? requestExitCode : undefined;
}

export const exitCodesHelp = `
Exit codes: 0 completed, 1 the job failed or its bundle was refused, 2 wrong usage or settings, 3 not done in time,
5 a request failed, 130 Ctrl-C, 143 SIGTERM.

Address and key come from STATIC_EXPORT_BASE_URL and STATIC_EXPORT_ADMIN_API_KEY, as in Pulumi programs.
`;
