import { seenCharacters } from "./terminal-reader.js";

const [lineFeed, carriageReturn] = [0x0a, 0x0d];
/** So much of a line without an end waits for the rest. */
const maxPendingBytes = 8 * 1024;
/** Progress bars write longer lines: more of them in one chunk are passed on as they are. */
const maxLinesOfChunk = 1000;
/** How many returns at the end of a line are examined, and how much after each. */
const [maxReturns, maxExaminedBytes] = [8, 64];

/**
 * Drops text that the next text of its line overwrites, such as the earlier states of a progress bar, before anybody
 * spends time on it. Passes on whole lines, or parts of long ones.
 */
export class OverwrittenText {
    readonly #keptBytes: number;
    readonly #pass: (chunk: Buffer) => void;
    #pending: Buffer = Buffer.alloc(0);

    /** @param keptBytes so much before the last text of a line is kept, because a secret may reach into both */
    constructor(keptBytes: number, pass: (chunk: Buffer) => void) {
        this.#keptBytes = keptBytes;
        this.#pass = pass;
    }

    add(chunk: Buffer): void {
        const text = Buffer.concat([this.#pending, chunk]);
        const lines: Buffer[] = [];
        let from = 0;
        if (text.includes(carriageReturn)) {
            for (let end = text.indexOf(lineFeed) + 1; end > 0 && lines.length < maxLinesOfChunk;) {
                lines.push(this.#lastTextOf(text.subarray(from, end)));
                from = end;
                end = text.indexOf(lineFeed, from) + 1;
            }
        }
        const begun = text.lastIndexOf(lineFeed) + 1;
        lines.push(text.subarray(from, Math.max(from, begun)));
        this.#pending = this.#lastTextOf(text.subarray(Math.max(from, begun)));
        if (this.#pending.length > this.#keptBytes + maxPendingBytes) {
            lines.push(this.#pending);
            this.#pending = Buffer.alloc(0);
        }
        this.#passOn(Buffer.concat(lines));
    }

    /** Passes on a line without an end. */
    end(): void {
        const pending = this.#pending;
        this.#pending = Buffer.alloc(0);
        this.#passOn(pending);
    }

    #passOn(chunk: Buffer): void {
        if (chunk.length > 0) {
            this.#pass(chunk);
        }
    }

    #lastTextOf(line: Buffer): Buffer {
        let end = line.length;
        for (let count = 0; count < maxReturns && end > 0; count += 1) {
            const at = line.lastIndexOf(carriageReturn, end - 1);
            if (at <= this.#keptBytes) {
                return line;
            }
            const after = line.toString("utf8", at + 1, Math.min(end, at + 1 + maxExaminedBytes));
            if (seenCharacters(after) !== "") {
                return line.subarray(at - this.#keptBytes);
            }
            end = at;
        }
        return line;
    }
}
