import { parseWith } from "../text/markdown-parser.js";

/** Whether the native Markdown parser has ended a process, by what the process printed. */
export function hasParserPanicked(stderr: string): boolean {
    return stderr.includes("panicked at ");
}

/** Loads the reference parser if any page needs it. @returns called with each page before it is read */
export async function loadParsers(referencePages: readonly string[]): Promise<(file: string | undefined) => void> {
    if (referencePages.length === 0) {
        parseWith();
        return () => undefined;
    }
    const reference = await import("../read/markdown/reference-parser.js");
    return (file) => parseWith(file !== undefined && referencePages.includes(file) ? reference : undefined);
}
