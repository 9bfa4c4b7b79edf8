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

/** Writes the Markdown page with one row for each export; editors show the members from the package's declarations. */
export function writeOverview(
    title: string,
    description: string,
    introduction: string,
    exports: readonly Described[],
): string {
    const rows = exports.map(({ name, doc, members }) => {
        const methods = members.filter(({ type }) => /^[(<]/.test(type)).map(({ name: method }) => `\`${method}\``);
        return `| \`${name}\` | ${inCell(escapeText(firstParagraph(doc)))} | ${methods.join(", ") || "–"} |`;
    });
    return [
        `---\ntitle: ${title}\ndescription: ${description}\n---`,
        introduction,
        ["| Export | What it is or does | Methods |", "| --- | --- | --- |", ...rows].join("\n"),
    ]
        .join("\n\n")
        .concat("\n");
}

function writeExport({ name, kind, doc, signature, members: all }: Described): string {
    const isResource = /opts\?: pulumi\.\w*ResourceOptions/.test(signature ?? "");
    // The inputs have comments in the arguments' table.
    const members = isResource ? all.filter((member) => member.doc !== "") : all;
    return [
        `## ${name}`,
        ...(doc === "" ? [] : [escapeText(isResource ? firstParagraph(doc) : doc)]),
        ...(signature === undefined || isResource ? [] : ["```text\n" + signature + "\n```"]),
        ...(members.length === 0 ? [] : [writeTable(members, kind)]),
    ].join("\n\n");
}

function firstParagraph(doc: string): string {
    return doc.split("\n\n", 1)[0] ?? "";
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
