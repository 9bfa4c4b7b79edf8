import { Fences } from "./fences.js";

const names = "hint|tabs?|stepper|step|code|content-ref|columns?|embed|file";
const mayHaveTags = new RegExp(`^[ \\t]*\\{% *(?:${names})\\b`, "m");
const tag = new RegExp(`^([ \\t]*)\\{% *(end|/ *)?(${names})\\b([^%\\n]*)%\\}[ \\t]*$`);

/**
 * Reads the tags that GitBook and Markdoc write on lines of their own: a hint becomes an admonition, titles of tabs and code and
 * what is embedded stay, and what only arranges the content goes. Every line stays where it is.
 */
export function readGitBookTags(source: string): string {
    if (!source.includes("{%") || !mayHaveTags.test(source)) {
        return source;
    }
    const fences = new Fences();
    return source
        .split("\n")
        .map((line) => (fences.holds(line) ? line : rewritten(line)))
        .join("\n");
}

function rewritten(line: string): string {
    const [, indent = "", end, name, rest = ""] = tag.exec(line) ?? [];
    if (name === undefined) {
        return line;
    }
    const attribute = (key: string) => new RegExp(`\\b${key}="([^"]*)"`).exec(rest)?.[1] ?? "";
    if (name === "hint") {
        return `${indent}::::::${end === undefined ? attribute("style") || "info" : ""}`;
    }
    if (end !== undefined) {
        return "";
    }
    const title = attribute("title") || attribute("label");
    const address = attribute("url") || attribute("src");
    if (name === "embed" || name === "file") {
        return address === ""
            ? ""
            : `${indent}[${address.slice(address.lastIndexOf("/") + 1) || address}](<${address}>)`;
    }
    // The spaces break the line, because no empty one may come in between.
    return title === "" ? "" : `${indent}**${title}**  `;
}
