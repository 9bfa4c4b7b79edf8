import { exitCodeOf, type PreviewReport } from "../preview/preview-report.js";
import { type Cleaner } from "./clean-text.js";
import { createWriter, type Writer } from "./writer.js";
import { pageSection } from "./page-section.js";
import { exportSection, policySection, releaseSection, troubleSections } from "./main-sections.js";
import { restSections } from "./rest-sections.js";
import { fitSections } from "./section.js";
import { verdictOf } from "./verdict.js";

export interface MarkdownOptions {
    /** What was previewed. */
    commit?: string | undefined;
    /** The folder of the program in the repository; empty for its root. */
    folder?: string | undefined;
    /** @default 60,000: GitHub refuses comments of more than 65,536 characters */
    limit?: number;
}

const defaultLimit = 60_000;

/** The report for a comment: the verdict first, then what a reviewer must look at, the rest collapsed. */
export function renderMarkdown(report: PreviewReport, cleaner: Cleaner, options: MarkdownOptions = {}): string {
    const writer = createWriter(cleaner);
    const { limit = defaultLimit } = options;
    const where = placeOf(report, options, writer);
    const verdict = verdictOf(report);
    const pages = pageSection(report, writer);
    const main = [...troubleSections(report, writer), ...pages, ...policySection(report, writer)];
    const opens = (report.pages?.becomePublic.length ?? 0) > 0;
    if (report.outcome === "unchanged" || report.outcome === "renewal") {
        const head = `${opens ? "⚠️" : "✅"} **${verdict}** in ${where}${atCommit(options, writer)}.${renewed(report, writer)}`;
        return `${fitSections(head, main, "", limit)}\n`;
    }
    const sections = [
        ...troubleSections(report, writer),
        ...pages,
        ...exportSection(report, writer),
        ...releaseSection(report, writer),
        ...policySection(report, writer),
        ...restSections(report, writer),
    ];
    const mark = exitCodeOf(report) === 1 ? "❌" : "⚠️";
    const isHarmless = troubleSections(report, writer).length === 0 && exitCodeOf(report) === 0 && !opens;
    const head = `### ${isHarmless ? "✅" : mark} ${verdict}`;
    return `${fitSections(head, sections, footer(report, where, options, writer), limit)}\n`;
}

function placeOf({ project, stack }: PreviewReport, { folder }: MarkdownOptions, writer: Writer): string {
    const place = [project, stack].filter((part) => part !== "").join("/");
    const of = place === "" ? "this stack" : writer.code(place);
    return folder ? `${of} (${writer.code(folder)})` : of;
}

function atCommit({ commit }: MarkdownOptions, writer: Writer): string {
    return commit ? `, commit ${writer.code(commit.slice(0, 10))}` : "";
}

const namedAtMost = 5;

function renewed({ exports, outcome }: PreviewReport, writer: Writer): string {
    if (outcome !== "renewal") {
        return "";
    }
    const names = exports.slice(0, namedAtMost).map(({ domain, name, reasons }) => {
        const why = reasons.map((reason) => writer.phrase(reason)).join(", ");
        return `${writer.code(domain.to ?? name)} (${why})`;
    });
    const rest = exports.length - names.length;
    return ` ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
}

function footer({ policies }: PreviewReport, where: string, options: MarkdownOptions, writer: Writer): string {
    const packs = policies.packs.map((pack) => writer.code(pack)).join(", ");
    const checked = packs === "" ? "No policy pack ran." : `Policies: ${packs}.`;
    return `<sub>Preview of ${where}${atCommit(options, writer)}. It ran no job and changed nothing. ${checked}</sub>`;
}
