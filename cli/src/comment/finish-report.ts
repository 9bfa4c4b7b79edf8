import { usageExitCode } from "../command-line/cli-command.js";
import { type ReportOptions, type WritableReport, writeReport } from "../report/write-report.js";
import { ForgeError } from "@pulumi-static-export/service/forge";
import { type CommentStore } from "./upsert-comment.js";
import { writeComment } from "./write-comment.js";

const outcomes = {
    created: "A comment was created.",
    updated: "The comment was updated.",
    none: "Nothing changes and there is no comment yet, so no comment was created.",
} as const;

/**
 * Writes a report, and its comment if one was requested. Returns the report's exit code or, if only the comment fails,
 * the exit code for wrong usage.
 */
export async function finishReport(
    writable: WritableReport,
    options: ReportOptions,
    env: NodeJS.ProcessEnv,
    store: CommentStore | undefined,
): Promise<number> {
    const exitCode = writeReport(writable, options, env);
    if (store === undefined) {
        return exitCode;
    }
    try {
        console.error(outcomes[await writeComment(store, writable, options)]);
        return exitCode;
    } catch (error) {
        if (!(error instanceof ForgeError)) {
            throw error;
        }
        console.error(`error: No comment was written. ${writable.clean(error.message, { characters: 1000 })}`);
        return exitCode || usageExitCode;
    }
}
