import { calloutKindOf, endOfContainer, untitled } from "./callout-kind.js";
import { Fences, rewriteOutsideCode } from "./fences.js";
import { type Repair } from "./repair-mdx.js";

interface ForeignSyntax {
    /** A plural noun for warnings. */
    readonly name: string;
    readonly pattern: RegExp;
    /** In MDX, braces contain JavaScript. */
    readonly isNoMdx?: true;
}

/** Syntax of other builders in Markdown, which an export does not convert. */
export const foreignSyntaxes: readonly ForeignSyntax[] = [
    { name: "shortcodes of Hugo and Zola ({{< name >}}, {{% name %}})", pattern: /\{\{[<%]/ },
    { name: "tags of Liquid, Jinja and Markdoc ({% name %})", pattern: /\{%-? *[\w/]/ },
    {
        name: "includes of mdBook, and lists of included files ({{#include a.rs}}, --8<--)",
        pattern: /^[ ;]*-{1,2}8<-{1,2}|\{\{ *#include /,
    },
    { name: "blocks of mkdocstrings (::: package.module)", pattern: /^ *::: ?\w+(?:\.\w+)+ *$/ },
    { name: "containers other than callouts (:::name)", pattern: /^ *:{3,} ?[a-z]/i },
    {
        name: "attributes of kramdown and Python-Markdown ({: .name}, {.name})",
        pattern: /\{:? *[.#][\w-][^{}\n]*\} *$/,
        isNoMdx: true,
    },
    { name: "tables of contents ([[toc]], [TOC])", pattern: /^\[\[?_?toc_?\]?\] *$/i },
    {
        name: "links of wikis ([[page]])",
        pattern: /(?<![\w\])`])\[\[(?!_?toc)[^[\]\s\d,"'][^[\],"']*\]\](?![(\w])/i,
    },
    { name: "expressions of Vue and Jinja ({{ name }})", pattern: /\{\{ *[\w$]/, isNoMdx: true },
];

const mayHaveAny = /\{\{|\{%|\{!|\{:|\{ *[.#]|^ *:::|\[\[|^\[toc|@include:|^ *<<<|8<-/im;
const container = /^ *:{3,} ?([a-z]+)/i;

/** Matches the start of a shortcode or Liquid tag, or a whole JSX tag, because attributes may contain similar text. */
const foreignTag = /<[A-Za-z][^<>]*>|(?<!\\)(?:\{%|\{\{[<%])/g;

/** Escapes shortcodes and Liquid tags in MDX, where a brace begins JavaScript. */
export function escapeForeignTags(source: string): string {
    return /\{%|\{\{</.test(source) ? rewriteOutsideCode(source, (text) => text.replace(foreignTag, escaped)) : source;
}

function escaped(found: string): string {
    return found.startsWith("{") ? found.replaceAll("{", "\\{") : found;
}

/** Finds syntax of other builders outside of code, at most once per line. */
export function findForeignSyntax(source: string, isMdx: boolean): Repair[] {
    if (!mayHaveAny.test(source)) {
        return [];
    }
    const syntaxes = foreignSyntaxes.filter(({ isNoMdx }) => !isMdx || isNoMdx !== true);
    const fences = new Fences();
    const bodyAt = /^---\r?\n[^]*?\n---[ \t]*(?:\r?\n|$)/.exec(source)?.[0].split("\n").length ?? 1;
    return source.split("\n").flatMap((line, at): Repair[] => {
        if (at + 1 < bodyAt || fences.holds(line) || /^(?: {4}|\t)/.test(line)) {
            return [];
        }
        const text = line.includes("`") ? line.replace(/(`+)[^`]*\1/g, "`") : line;
        const found = syntaxes.find(({ pattern }) => pattern.test(text));
        const [, kind = ""] = container.exec(text) ?? [];
        const isRead =
            (calloutKindOf(kind) !== undefined && !/^ *::: ?\w+\./.test(text)) || /^#{1,6} .*\{ *#[\w-]/.test(text);
        if (found === undefined || isRead) {
            return [];
        }
        const reason = `${found.name} are not supported and stay as text; replace them with their values`;
        return [{ line: at + 1, reason }];
    });
}

const ownValue = /\{\{ *\$frontmatter\.([\w-]+) *\}\}/g;

/** Replaces VitePress's expressions with the values from the page's front matter, such as the title in a heading. */
export function withOwnValues(source: string, values: Readonly<Record<string, unknown>>): string {
    return source.includes("$frontmatter")
        ? rewriteOutsideCode(source, (text) =>
              text.replace(ownValue, (whole: string, name: string) => {
                  const value = Object.hasOwn(values, name) ? values[name] : undefined;
                  return typeof value === "string" || typeof value === "number"
                      ? String(value).replace(/[\\`*_{}[\]<>#|&$]/g, "\\$&")
                      : whole;
              }),
          )
        : source;
}

const badge = /<Badge\b([^<>]*?)(?:\/>|>([^<]*)<\/Badge>)/g;

/** Reads VitePress badges in Markdown as HTML elements; their text may be an attribute. */
export function readBadges(source: string): string {
    return source.includes("<Badge")
        ? rewriteOutsideCode(source, (text) =>
              text.replace(badge, (_, attributes: string, content = "") => {
                  const own = /\stext="([^"]*)"|\stext='([^']*)'/.exec(attributes);
                  return `<span class="badge">${own?.[1] ?? own?.[2] ?? ""}${String(content)}</span>`;
              }),
          )
        : source;
}

/** Removes the fences around code blocks that Docusaurus reads as MDX. Lines keep their numbers. */
export function readMdxBlocks(source: string): string {
    if (!source.includes("mdx-code-block")) {
        return source;
    }
    const fences = new Fences();
    let mark = "";
    const lines = source.split("\n").map((line) => {
        if (mark !== "" && line.trim() === mark) {
            mark = "";
            return "";
        }
        if (mark !== "" || !fences.holds(line)) {
            return line;
        }
        mark = /^[ \t]*(`{3,}|~{3,})mdx-code-block[ \t]*$/.exec(line)?.[1] ?? "";
        if (mark === "") {
            return line;
        }
        fences.holds(mark);
        return "";
    });
    return mark === "" ? lines.join("\n") : source;
}

const names = "tabs?|stepper|step|code|content-ref|columns?|embed|file";
const mayHaveTags = new RegExp(`^[ \\t]*\\{% *(?:hint|${names})\\b`, "m");
const tag = new RegExp(`^([ \\t]*)\\{% *(end|/ *)?(${names})\\b([^%\\n]*)%\\}[ \\t]*$`);

/**
 * Reads the tags that GitBook and Markdoc have on separate lines: a hint becomes an admonition; embedded content and
 * the titles of tabs and code blocks remain; tags that only arrange content are removed. Lines keep their numbers.
 */
export function readGitBookTags(source: string): string {
    if (!source.includes("{%") || !mayHaveTags.test(source)) {
        return source;
    }
    return readHints(source.split("\n")).join("\n");
}

const hintStart = /^([ \t]*)\{% *hint\b([^%\n]*)%\}(.*)$/;
const hintEnd = /\{% *(?:end|\/ *)hint *%\}[ \t]*$/;

/**
 * Turns hints into admonitions. Text may follow the first tag and precede the last one. A hint on one line becomes a
 * quote of one line. Tags without a counterpart are left unchanged.
 */
function readHints(lines: readonly string[]): string[] {
    const read: string[] = [];
    const fences = new Fences();
    const open: { readonly at: number; readonly indent: string; readonly style: string; readonly text: string }[] = [];
    for (const [at, line] of lines.entries()) {
        if (fences.holds(line)) {
            read.push(line);
            continue;
        }
        const [, indent = "", rest = "", after] = hintStart.exec(line) ?? [];
        const text = after?.trimStart() ?? line;
        const given = /\bstyle=["']([^"']+)["']/.exec(rest)?.[1] ?? "";
        const style = calloutKindOf(given) === undefined ? "info" : given;
        const end = text.search(hintEnd);
        const content = text.slice(0, end === -1 ? undefined : end).trimEnd();
        if (after !== undefined && end === -1) {
            open.push({ at, indent, style, text });
            read.push(line);
        } else if (after !== undefined) {
            read.push(content.includes("{%") ? line : `${indent}> [!${style.toUpperCase()}]${untitled} ${content}`);
        } else if (end !== -1 && open.length > 0) {
            const start = open.pop() as (typeof open)[number];
            const first = start.text === "" ? "" : `${untitled} ${start.text}`;
            read[start.at] = `${start.indent}::::::${start.style}${first}`;
            read.push(content.trim() === "" ? `${start.indent}::::::` : `${content}${endOfContainer}`);
        } else {
            read.push(rewritten(line));
        }
    }
    return read;
}

function rewritten(line: string): string {
    const [, indent = "", end, name, rest = ""] = tag.exec(line) ?? [];
    if (name === undefined) {
        return line;
    }
    const attribute = (key: string) => new RegExp(`\\b${key}="([^"]*)"`).exec(rest)?.[1] ?? "";
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
    // Breaks the line with spaces, because an empty line would end the paragraph.
    return title === "" ? "" : `${indent}**${title}**  `;
}

const opening = /^<script\b[^<>]*\s(?:setup|lang=)[^<>]*>/;

/**
 * Removes the scripts of Vue components from VitePress pages. No browser can run the scripts of Vue components, and
 * their imports are not valid MDX. The lines of the scripts become empty, so that warnings have the right line numbers.
 */
export function withoutVueScripts(source: string): string {
    if (!source.includes("<script")) {
        return source;
    }
    const fences = new Fences();
    let isInside = false;
    const lines = source.split("\n").map((line) => {
        if (!isInside && (fences.holds(line) || !opening.test(line))) {
            return line;
        }
        isInside = !line.includes("</script>");
        return "";
    });
    return isInside ? source : lines.join("\n");
}
