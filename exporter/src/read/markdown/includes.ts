import { Fences } from "./fences.js";
import { escapeHtml } from "../../text/html-text.js";

/** A file, or a part of a file, that a page shows. */
export interface Include {
    readonly path: string;
    /** The name in the comments around the included part of the file. */
    readonly region: string | undefined;
    readonly firstLine: number;
    readonly lastLine: number;
}

const suffix = /^(.*?\.\w+)(?:#([\w-]+)|:([a-z][\w-]*))?(?:\{(\d*)(?:(,)(\d*))?\}|:(\d*)(?:(:)(\d*))?)?$/i;

/**
 * Reads the name of an included file and the part to show: `a.md#part{3,10}` in VitePress, `a.md:3:10` and `a.md:part`
 * in Python-Markdown, `a.md#part` in Fumadocs.
 */
export function parseInclude(name: string): Include {
    const match = suffix.exec(name.trim());
    const [, path = name.trim(), hash, section, first, comma, last, from = first, colon = comma, to = last] =
        match ?? [];
    const firstLine = Number(from || 1);
    return {
        path,
        region: hash ?? section,
        firstLine,
        lastLine: to ? Number(to) : from && colon === undefined ? firstLine : Infinity,
    };
}

/** The lines of a file that an include names; undefined if the file has no such region. */
export function includedLines(text: string, { region, firstLine, lastLine }: Include): string | undefined {
    const all = text.split("\n");
    const mark = (word: string) =>
        new RegExp(`(?:#?${word}region +|--?8<--? *\\[${word === "" ? "start" : "end"}: *)${region}\\b`);
    const start = region === undefined ? -1 : all.findIndex((line) => mark("").test(line));
    if (region !== undefined && start === -1) {
        return undefined;
    }
    const end = region === undefined ? -1 : all.findIndex((line, at) => at > start && mark("end").test(line));
    const lines = all.slice(start + 1, end === -1 ? undefined : end);
    return lines.slice(firstLine - 1, lastLine).join("\n");
}

/** Matches includes of VitePress, code from files in VitePress, and snippets and older includes of Python-Markdown. */
const line =
    /^([ \t]*)(?:<!-- *@include: *(\S[^>]*)-->|<<<[ \t]*([^\s{[]+)(?:\{([^}]*)\})?(?:[ \t]+\[([^\]]+)\])?|-{1,2}8<-{1,2}[ \t]+["']([^"']+)["']|\{!\s*([\w./-]+)\s*!\})[ \t]*\r?$/;
const mayHaveAny = /@include:|^[ \t]*<<<|8<-|\{!/m;

/** Turns lines that include another file into elements. Lines keep their numbers. */
export function readIncludes(source: string): string {
    if (!mayHaveAny.test(source)) {
        return source;
    }
    const fences = new Fences();
    return source
        .split("\n")
        .map((text) => (fences.holds(text) ? text : rewritten(text)))
        .join("\n");
}

function rewritten(text: string): string {
    const [whole, indent = "", page, code, options = "", title, snippet, older] = line.exec(text) ?? [];
    const file = page?.trimEnd() ?? code ?? snippet ?? older;
    if (whole === undefined || file === undefined) {
        return text;
    }
    const [, marked = "", language = ""] = /^([\d,-]*)[ \t]*([^\s]*)/.exec(options.trim()) ?? [];
    const meta = [marked && `{${marked}}`, title && `title="${title}"`].filter(Boolean).join(" ");
    const attributes = { src: file, lang: language, meta, ...(code !== undefined && { as: "code" }) };
    const written = Object.entries(attributes).map(([name, value]) =>
        value === "" ? "" : ` ${name}="${escapeHtml(value)}"`,
    );
    return `${indent}<include${written.join("")}></include>`;
}

const lineInCode =
    /^([ \t]*)(?:\S{1,3}[ \t]+)?(?:-{1,2}8<-{1,2}[ \t]+["']([^"'\n]+)["']|\{!\s*([\w./-]+)\s*!\})[ \t]*$/gm;

/**
 * Replaces the lines of a code block that include a file.
 * @param read returns undefined for a line that does not change
 */
export function withIncludedCode(code: string, read: (name: string) => string | undefined): string {
    return mayHaveAny.test(code)
        ? code.replace(lineInCode, (whole: string, indent: string, snippet?: string, older?: string) => {
              const text = read(snippet ?? older ?? "");
              return text === undefined ? whole : text.replace(/\n$/, "").replace(/^(?=.)/gm, indent);
          })
        : code;
}
