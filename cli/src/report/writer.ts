import { type Phrase } from "../preview/explain/phrase.js";
import { type Cleaner } from "./clean-text.js";

/** Writes untrusted text into Markdown: it is cleaned and formatted as code. */
export interface Writer {
    code(text: string): string;
    /** A message on one line. */
    message(text: string): string;
    /** A message over several lines. */
    block(text: string): string;
    phrase(phrase: Phrase): string;
}

export function createWriter(clean: Cleaner): Writer {
    const write = (text: string): string => code(clean(text));
    return {
        code: write,
        message: (text) => code(clean(text, { characters: 600 })),
        block: (text) => codeBlock(clean(text, { characters: 4000, lines: 40 })),
        phrase: (phrase) => phrase.map((part) => (typeof part === "string" ? part : write(part.code))).join(""),
    };
}

/**
 * Cleaned text as inline code, which no renderer treats as markup, a mention, a reference or a link. Backticks and
 * vertical bars become lookalikes, because renderers handle these characters differently in tables.
 */
export function code(text: string): string {
    const plain = asCodeText(text);
    return plain === "" ? "(empty)" : `\`${plain.startsWith(" ") || plain.endsWith(" ") ? ` ${plain} ` : plain}\``;
}

/**
 * Cleaned text of several lines as a code block. No line begins with a slash, which GitLab would run as a command.
 */
export function codeBlock(text: string): string {
    const lines = asCodeText(text)
        .split("\n")
        .map((line) => `  ${line}`.trimEnd());
    return ["```text", ...lines, "```"].join("\n");
}

function asCodeText(text: string): string {
    return text.replace(/`/g, "\u02cb").replace(/\|/g, "\u00a6");
}
