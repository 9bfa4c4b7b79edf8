import { exitCodeOf, type PreviewReport } from "../preview/preview-report.js";
import { type Phrase } from "../preview/explain/phrase.js";
import { type Cleaner } from "./clean-text.js";
import { verdictOf } from "./verdict.js";

/** The report as JSON. Every text in it is cleaned as in Markdown, but not escaped. */
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
