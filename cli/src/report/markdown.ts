import { amount } from "@pulumi-static-export/contract";
import { exitCodeOf, type PreviewReport, type OtherChange } from "../preview/preview-report.js";
import { type Cleaner } from "./clean-text.js";
import { createWriter, type Writer } from "./writer.js";
import { pageSection } from "./page-section.js";
import { exportSection, policySection, publicationSection, releaseSection, troubleSections } from "./main-sections.js";
import { fitSections, line, type Section } from "./fit-sections.js";
import { verdictOf, isObjectionable, isPublication } from "./verdict.js";

interface MarkdownOptions {
    /** What was previewed. */
    commit?: string | undefined;
    /** The folder of the program in the repository; empty for its root. */
    folder?: string | undefined;
    /** The largest size in bytes. GitHub refuses comments of more than 65,536 characters. @default 60,000 */
    limit?: number;
}

const defaultLimit = 60_000;

/** The report for a comment: the verdict, then the parts that a reviewer must read, and the rest collapsed. */
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
        ...publicationSection(report, writer),
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

/** Details that reviewers rarely need, with each part collapsed behind a line with its size. */
function restSections(report: PreviewReport, writer: Writer): Section[] {
    const others = report.others.filter((change) => !isObjectionable(change) && !isPublication(change));
    const { outputs, warnings } = report;
    return [
        {
            heading: "",
            summary: `${amount(others.length, "other change", "other changes")}, ${report.unchanged} unchanged`,
            columns: ["Resource", "What happens", "Properties"],
            rows: others.map((change) => otherRow(change, writer)),
        },
        {
            heading: "",
            summary: `${amount(outputs.length, "stack output changes or is", "stack outputs change or are")} known only after the update`,
            rows: outputs.length === 0 ? [] : [outputs.map((name) => writer.code(name)).join(", ")],
        },
        {
            heading: "",
            summary: amount(warnings.length, "warning", "warnings"),
            rows: warnings.map(({ resource, message }) =>
                [...(resource === undefined ? [] : [writer.code(resource)]), writer.block(message)].join("\n\n"),
            ),
        },
    ].filter(({ rows }) => rows.length > 0);
}

const whatHappens: Readonly<Partial<Record<OtherChange["kind"], string>>> = {
    create: "created",
    update: "updated",
    replace: "replaced",
    import: "imported: it exists, and Pulumi will manage it",
    read: "read",
    refresh: "differs from the state, which is updated",
    "finish-replacement": "what an interrupted replacement left behind is deleted",
};

const listedAtMost = 8;

function otherRow({ type, name, kind, changed, note }: OtherChange, writer: Writer): string {
    const shown = changed.slice(0, listedAtMost).map((property) => writer.code(property));
    const rest = changed.length - shown.length;
    return line([
        `${writer.code(name)} ${writer.code(type)}`,
        note === undefined ? (whatHappens[kind] ?? kind) : writer.phrase(note),
        [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(", "),
    ]);
}
