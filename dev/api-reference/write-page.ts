import { type Described, type DescribedMember } from "./describe-module.js";

/** Writes the Markdown page for a package's exports. */
export function writePage(
    title: string,
    description: string,
    introduction: string,
    exports: readonly Described[],
): string {
    return [`---\ntitle: ${title}\ndescription: ${description}\n---`, introduction, ...exports.map(writeExport)]
        .join("\n\n")
        .concat("\n");
}

function writeExport({ name, kind, doc, signature, members }: Described): string {
    return [
        `## ${name}`,
        ...(doc === "" ? [] : [escapeText(doc)]),
        ...(signature === undefined ? [] : ["```text\n" + signature + "\n```"]),
        ...(members.length === 0 ? [] : [writeTable(members, kind)]),
    ].join("\n\n");
}

function writeTable(members: readonly DescribedMember[], kind: string): string {
    const rows = members.map(({ name, type, isOptional, doc }) => {
        const shown =
            kind === "interface" && !isOptional && !type.startsWith("(") ? `\`${name}\`, required` : `\`${name}\``;
        return `| ${shown} | ${inCell(`\`${type}\``)} | ${inCell(escapeText(doc)) || "–"} |`;
    });
    return ["| Member | Type | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function inCell(text: string): string {
    return text.replace(/\s+/g, " ").replaceAll("|", "\\|");
}

/** Escapes characters that Markdown would read as a tag. */
function escapeText(text: string): string {
    return text.replace(/(`[^`]*`)|</g, (_whole, code?: string) => code ?? "&lt;");
}
