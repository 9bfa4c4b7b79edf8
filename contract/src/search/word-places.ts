import { isHighSurrogate } from "../text/cut-text.js";

/** The kinds of characters; 0 means that the kind is not known yet. */
const other = 1;
const small = 2;
const capital = 3;
const digit = 4;
const foreign = 5;

/** By character code. Regular expressions classify each character only once, because they are slow. */
const kinds = new Uint8Array(0x1_0000);
const partOfWord = /[\p{L}\p{N}\p{M}\u00ad]/u;
const hyphens = new Set([0x2d, 0x2010, 0x2011]);

/**
 * Finds the runs of letters and digits in a string, including those that hyphens join.
 *
 * @param use gets the place of each run. A plain run consists of ASCII letters and digits, without parts as in
 * `exportSite`.
 */
export function eachWord(text: string, use: (from: number, to: number, isPlain: boolean) => void): void {
    const { length } = text;
    let at = 0;
    while (at < length) {
        let code = text.charCodeAt(at);
        let kind = kinds[code] || kindAt(text, at);
        const from = at;
        let isPlain = true;
        let before = other;
        while (kind !== other) {
            isPlain = isPlain && kind !== foreign && (kind !== capital || before !== small);
            before = kind;
            // The second half of a character outside the basic plane belongs to its first half.
            at += kind === foreign && isHighSurrogate(code) ? 2 : 1;
            if (at >= length) {
                break;
            }
            code = text.charCodeAt(at);
            kind = kinds[code] || kindAt(text, at);
            if (kind === other && hyphens.has(code) && at + 1 < length && kindAt(text, at + 1) !== other) {
                isPlain = false;
                at += 1;
                code = text.charCodeAt(at);
                kind = kindAt(text, at);
            }
        }
        if (at > from) {
            use(from, at, isPlain);
        }
        at += 1;
    }
}

function kindAt(text: string, at: number): number {
    const code = text.charCodeAt(at);
    const point = text.codePointAt(at)!;
    const kind = !partOfWord.test(String.fromCodePoint(point))
        ? other
        : code > 127
          ? foreign
          : code >= 97
            ? small
            : code >= 65
              ? capital
              : digit;
    // A high surrogate may begin a letter or a picture, so its kind is not cached.
    if (!isHighSurrogate(code)) {
        kinds[code] = kind;
    }
    return kind;
}
