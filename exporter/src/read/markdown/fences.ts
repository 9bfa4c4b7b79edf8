/** A list marker may precede the line that begins a fence. */
const opening = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})(.*)/;
/** A mark that is indented further belongs to the code, such as an example of a list. */
const maxIndent = 3;
const closing = /^[ \t>]*(`{3,}|~{3,})\s*$/;

/**
 * Rewrites the parts of a page outside of code.
 * @param rewrite called with a part, and the characters of code directly before and after the part
 */
export function rewriteOutsideCode(
    source: string,
    rewrite: (text: string, before: string, after: string) => string,
): string {
    const fences = new Fences();
    let rewritten = "";
    let text = "";
    let last = "";
    for (const line of source.split(/(?<=\n)/)) {
        const [before = "", ...rest] = fences.holds(line) ? ["", line, ""] : line.split(/(`[^`\n]+`)/);
        text += before;
        for (let at = 0; at < rest.length; at += 2) {
            const code = rest[at] ?? "";
            rewritten += rewrite(text, last, code.slice(0, 1)) + code;
            last = code.slice(-1);
            text = rest[at + 1] ?? "";
        }
    }
    return rewritten + rewrite(text, last, "");
}

/** The line that begins code without an end; undefined if all code on the page ends. */
export function lineOfOpenFence(source: string): number | undefined {
    if (!mayHaveFence.test(source)) {
        return undefined;
    }
    const fences = new Fences();
    let openedAt = 0;
    for (const [at, line] of source.split("\n").entries()) {
        const wasOpen = fences.isOpen;
        fences.holds(line);
        openedAt = wasOpen ? openedAt : at + 1;
    }
    return fences.isOpen ? openedAt : undefined;
}

const mayHaveFence = /^[^\w\n]*(?:\d{1,9}[.)][ \t]+)?(?:`{3}|~{3})/m;

/**
 * Tracks fenced code from line to line, as CommonMark defines it:
 * https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export class Fences {
    /** The characters that opened the fence; empty outside of a fence. */
    #mark = "";
    #column = 0;

    get isOpen(): boolean {
        return this.#mark !== "";
    }

    /** Whether a line belongs to code or is its delimiter. */
    holds(line: string): boolean {
        if (this.#mark === "") {
            const [, mark = "", rest = ""] = opening.exec(line) ?? [];
            const isInline = mark.startsWith("`") && rest.includes("`");
            this.#mark = isInline ? "" : mark;
            this.#column = line.indexOf(mark);
            return this.#mark !== "";
        }
        const end = closing.exec(line)?.[1];
        if (end?.startsWith(this.#mark) === true && line.indexOf(end) - this.#column <= maxIndent) {
            this.#mark = "";
        }
        return true;
    }
}
