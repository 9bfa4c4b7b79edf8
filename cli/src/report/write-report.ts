import { appendFileSync, writeFileSync } from "node:fs";
import { createReport, exitCodeOf, type PreviewContext, type PreviewReport } from "../preview/preview-report.js";
import { type EventLog } from "../preview/log/read-events.js";
import { UsageError } from "../command-line/usage-error.js";
import { type Cleaner, createCleaner } from "./clean-text.js";
import { renderJson } from "./json.js";
import { knownSecrets } from "../preview/log/known-secrets.js";
import { renderMarkdown } from "./markdown.js";
import { verdictOf } from "./verdict.js";

/** What to write, and where. */
export interface ReportOptions {
    json?: boolean;
    out?: string;
    commit?: string | undefined;
    folder?: string | undefined;
    /** False to not write GitHub's job summary. */
    stepSummary: boolean;
}

/** A report with everything needed to write it in any format. */
export interface WritableReport {
    report: PreviewReport;
    clean: Cleaner;
}

export function createWritableReport(log: EventLog, context: PreviewContext, env: NodeJS.ProcessEnv): WritableReport {
    return { report: createReport(log, context), clean: createCleaner(knownSecrets(log.events, env)) };
}

/** GitHub accepts a summary of one megabyte per step. */
const maxSummaryLength = 900_000;

/**
 * Writes the report to standard output or a file, the summary line to standard error, and the Markdown to the summary of
 * the GitHub job, if there is one. Returns the exit code.
 */
export function writeReport({ report, clean }: WritableReport, options: ReportOptions, env: NodeJS.ProcessEnv): number {
    const { json, out, commit, folder, stepSummary } = options;
    const markdown = (limit?: number): string =>
        renderMarkdown(report, clean, { commit, folder, ...(limit === undefined ? {} : { limit }) });
    const text = json ? renderJson(report, clean, { commit }) : markdown(maxSummaryLength);
    if (out === undefined) {
        process.stdout.write(text);
    } else {
        writeOrRefuse(out, () => writeFileSync(out, text));
    }
    const summaryFile = env["GITHUB_STEP_SUMMARY"];
    if (summaryFile && stepSummary) {
        writeOrRefuse(summaryFile, () => appendFileSync(summaryFile, markdown(maxSummaryLength)));
    }
    console.error(summaryLine({ report, clean }));
    return exitCodeOf(report);
}

/** `project/stack: verdict`, for a log or a terminal. */
export function summaryLine({ report, clean }: WritableReport): string {
    const place = [report.project, report.stack].filter((part) => part !== "").join("/");
    return `${clean(place === "" ? "preview" : place)}: ${verdictOf(report)}.`;
}

function writeOrRefuse(path: string, write: () => void): void {
    try {
        write();
    } catch (error) {
        throw new UsageError(`The report cannot be written to ${path}: ${(error as Error).message}.`);
    }
}
