type State = "text" | "escape" | "sequence" | "string";

/** Receives the output of a program, part by part. */
interface Terminal {
    /** Shows characters, including tabs. */
    show: (text: string) => void;
    /** Begins the next line, or the same line again. */
    endLine: (character: "\n" | "\r") => void;
    /** Changes the style of what follows. @param codes such as `1;31` */
    style?: (codes: string) => void;
    /** A character that nobody sees, without a sequence. */
    hide?: (character: string) => void;
}

/** Programs change styles with a few short numbers. */
const maxStyleCharacters = 40;

/**
 * Reads the output of a program as a terminal does. The output may arrive in parts that end anywhere, and each
 * character costs the same: expressions for sequences of terminals are quadratic for some texts, and programs choose the
 * text.
 */
export class TerminalReader {
    readonly #terminal: Terminal;
    #state: State = "text";
    /** The parameters of a sequence, if it may change the style. */
    #codes: string | undefined;

    constructor(terminal: Terminal) {
        this.#terminal = terminal;
    }

    read(text: string): void {
        let from = 0;
        for (let at = 0; at < text.length; at += 1) {
            const code = text.charCodeAt(at);
            if (this.#state === "text" && (code >= 0x20 ? code < 0x7f || isSeen(code) : code === 0x09)) {
                continue;
            }
            if (at > from) {
                this.#terminal.show(text.slice(from, at));
            }
            from = this.#control(code) ? at + 1 : at;
        }
        if (from < text.length) {
            this.#terminal.show(text.slice(from));
        }
    }

    /** @returns false for a character that is shown, because no sequence can contain it */
    #control(code: number): boolean {
        if (code === 0x0a || code === 0x0d) {
            // A sequence without an end must not hide the lines after it.
            this.#state = "text";
            this.#terminal.endLine(code === 0x0a ? "\n" : "\r");
            return true;
        }
        const next = this.#after(code);
        if (next !== undefined) {
            this.#state = next;
            return true;
        }
        this.#state = "text";
        if (code === 0x09 || (code >= 0x20 && isSeen(code))) {
            return false;
        }
        this.#terminal.hide?.(String.fromCharCode(code));
        return true;
    }

    /** The state after a character of a sequence; undefined for a character that belongs to none. */
    #after(code: number): State | undefined {
        if (code === 0x1b) {
            return "escape";
        }
        if (code >= 0x80 && code < 0xa0 && this.#state !== "string") {
            return code === 0x9b ? this.#beginSequence() : strings.has(code) ? "string" : undefined;
        }
        switch (this.#state) {
            case "text":
                return undefined;
            case "escape":
                if (code === 0x5b) {
                    return this.#beginSequence();
                }
                if (strings.has(code + 0x40)) {
                    return "string";
                }
                return isBetween(code, 0x20, 0x2f) ? "escape" : isBetween(code, 0x30, 0x7e) ? "text" : undefined;
            case "sequence":
                if (isBetween(code, 0x20, 0x3f)) {
                    this.#codes = isStyle(code) ? addTo(this.#codes, code) : undefined;
                    return "sequence";
                }
                if (code === 0x6d && this.#codes !== undefined) {
                    this.#terminal.style?.(this.#codes);
                }
                return isBetween(code, 0x40, 0x7e) ? "text" : undefined;
            case "string":
                return code === 0x07 || code === 0x9c ? "text" : "string";
        }
    }

    #beginSequence(): State {
        this.#codes = "";
        return "sequence";
    }
}

/** The text that a terminal shows, with its lines, and with characters that nobody sees. */
export function withoutSequences(text: string): string {
    const parts: string[] = [];
    const add = (part: string) => parts.push(part);
    new TerminalReader({ show: add, endLine: add, hide: add }).read(text);
    return parts.join("");
}

/** Only the characters that somebody sees, without lines. */
export function seenCharacters(text: string): string {
    const parts: string[] = [];
    new TerminalReader({ show: (part) => parts.push(part), endLine: () => undefined }).read(text);
    return parts.join("");
}

/** The characters that begin the titles of windows, links, and others that a terminal does not show. */
const strings = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

function isBetween(code: number, first: number, last: number): boolean {
    return code >= first && code <= last;
}

function isStyle(code: number): boolean {
    return isBetween(code, 0x30, 0x39) || code === 0x3b;
}

function addTo(codes: string | undefined, code: number): string | undefined {
    return codes === undefined || codes.length === maxStyleCharacters ? undefined : codes + String.fromCharCode(code);
}

const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u;

/** Halves of characters are seen, because the other half follows. */
function isSeen(code: number): boolean {
    return code < 0x7f || (code >= 0xa0 && !unseen.test(String.fromCharCode(code)));
}
