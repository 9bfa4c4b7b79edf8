import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { createReport, exitCodeOf, type PreviewContext, type PreviewReport } from "../preview/preview-report.js";
import { type EventLog } from "../preview/log/read-events.js";
import { UsageError } from "../command-line/usage-error.js";
import { type Cleaner, createCleaner } from "./clean-text.js";
import { findSecretTexts } from "./secret-texts.js";
import { renderMarkdown } from "./markdown.js";
import { verdictOf } from "./verdict.js";
import { type Phrase } from "../preview/explain/phrase.js";

/** The content and destinations of the report. */
export interface ReportOptions {
    json?: boolean;
    out?: string;
    commit?: string | undefined;
    folder?: string | undefined;
    /** False to omit GitHub's job summary. */
    stepSummary: boolean;
}

/** A report with all data for writing it in any format. */
export interface WritableReport {
    report: PreviewReport;
    clean: Cleaner;
}

export function createWritableReport(log: EventLog, context: PreviewContext, env: NodeJS.ProcessEnv): WritableReport {
    return { report: createReport(log, context), clean: createCleaner(findSecretTexts(log.events, env)) };
}

/** GitHub accepts a summary of one mebibyte per step, and drops a larger one. */
const maxSummaryBytes = 1024 * 1024;
/** With less space than this, a report says nothing useful. */
const minSummaryBytes = 2000;

/**
 * Writes the report to standard output or a file, the summary line to standard error, and the Markdown to the summary
 * of
 * the GitHub job, if there is one. Returns the exit code.
 */
export function writeReport({ report, clean }: WritableReport, options: ReportOptions, env: NodeJS.ProcessEnv): number {
    const { json, out, commit, folder, stepSummary } = options;
    const markdown = (limit?: number): string =>
        renderMarkdown(report, clean, { commit, folder, ...(limit === undefined ? {} : { limit }) });
    const text = json ? renderJson(report, clean, { commit }) : markdown(maxSummaryBytes);
    if (out === undefined) {
        process.stdout.write(text);
    } else {
        writeOrRefuse(out, () => writeFileSync(out, text));
    }
    const summaryFile = env["GITHUB_STEP_SUMMARY"];
    if (summaryFile && stepSummary) {
        const writtenBytes = statSync(summaryFile, { throwIfNoEntry: false })?.size ?? 0;
        const limit = maxSummaryBytes - writtenBytes;
        if (limit >= minSummaryBytes) {
            writeOrRefuse(summaryFile, () => appendFileSync(summaryFile, markdown(limit)));
        } else {
            console.error(
                "warning: the job summary has no space for the report: earlier commands of the step filled it.",
            );
        }
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

/** The report as JSON. The report's text is cleaned as in Markdown, but not escaped. */
export function renderJson(report: PreviewReport, clean: Cleaner, context: { commit?: string | undefined }): string {
    const { exports, releases, others, ...rest } = report;
    const withText = <T extends { reasons: Phrase[] }>(change: T) => ({
        ...change,
        reasons: change.reasons.map(textOf),
    });
    const value = {
        verdict: verdictOf(report),
        exitCode: exitCodeOf(report),
        ...(context.commit === undefined ? {} : { commit: context.commit }),
        ...rest,
        exports: exports.map(withText),
        releases: releases.map(withText),
        others: others.map(({ note, ...other }) => ({
            ...other,
            ...(note === undefined ? {} : { note: textOf(note) }),
        })),
    };
    const cleaned = (_key: string, each: unknown): unknown =>
        typeof each === "string" ? clean(each, { characters: 4000, lines: 40 }) : each;
    return `${JSON.stringify(value, cleaned, 2)}\n`;
}

function textOf(phrase: Phrase): string {
    return phrase.map((part) => (typeof part === "string" ? part : part.code)).join("");
}
