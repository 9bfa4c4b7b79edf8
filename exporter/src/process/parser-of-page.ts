import { refuseMdx } from "../text/markdown-parser.js";

/** Whether the native Markdown parser has ended a process, by what the process printed. */
export function hasParserPanicked(stderr: string): boolean {
    return stderr.includes("panicked at ");
}

/** @returns called with each page before it is read */
export function parserChoice(markdownPages: readonly string[]): (file: string | undefined) => void {
    refuseMdx(false);
    return markdownPages.length === 0
        ? () => undefined
        : (file) => refuseMdx(file !== undefined && markdownPages.includes(file));
}
