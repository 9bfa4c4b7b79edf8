import { type OtherChange, type PreviewReport } from "../preview/preview-report.js";
import { line, type Section } from "./section.js";
import { amount, isObjectionable } from "./verdict.js";
import { type Writer } from "./writer.js";

/** What a reviewer rarely needs, each part collapsed behind a line with its size. */
export function restSections(report: PreviewReport, writer: Writer): Section[] {
    const others = report.others.filter((change) => !isObjectionable(change));
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
    "finish-replacement": "the rest of an interrupted replacement is deleted",
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
