import { type Phrase } from "../preview/explain/phrase.js";
import { type Cleaner } from "./clean-text.js";
import { code, codeBlock } from "./code.js";

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
