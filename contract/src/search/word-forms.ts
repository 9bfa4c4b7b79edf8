import { passagesOf, termOf, type WeightedLine, type WordPassages } from "./term-passages.js";

/** The beginnings of words that count as the word. */
const maxForms = 40;
/** Shorter words are not taken for beginnings: they are those of too many words. */
const minPrefix = 3;
const minCorrected = 4;
/** Of several words of a query, the others decide which of these was meant. */
const maxCorrections = 8;

/** The sorted lists of a part of the site, in shards. */
export interface TermLists {
    readonly passageCount: number;
    readonly stem: (word: string) => string;
    /** The entries of a list between two terms, starting at the shard of a third term, or some shards before it. */
    readonly lines: (
        list: "terms" | "endings",
        from: string,
        to: string,
        near: string,
        before?: number,
    ) => Promise<string[]>;
}

/** Whether a last word is too short to be looked for as a beginning: who types on would see nothing meanwhile. */
export function isBegun(word = ""): boolean {
    return word.length < minPrefix && isSpaced(word);
}

/** A word of two signs is a whole one in scripts that put no spaces between words. */
function isSpaced(word: string): boolean {
    return /^[\p{Script=Latin}\p{N}]/u.test(word);
}

/** The passages of a word and of its other forms, with weights; or those of words that it may be a slip of. */
export async function lookUp(lists: TermLists, word: string): Promise<WordPassages> {
    const stem = lists.stem(word);
    const lead = commonStart(word, stem);
    // A stem may end otherwise than its words do: "polici" is that of "policy".
    const start = lead.slice(0, Math.max(minPrefix - 1, lead.length - 1));
    const lines = await lists.lines("terms", start, `${word}\uffff`, word);
    const isPrefix = word.length >= minPrefix || !isSpaced(word);
    const qualityOf = (term: string) => {
        if (term === word) {
            return 1;
        }
        if (term.startsWith(start) && lists.stem(term) === stem) {
            return 0.8;
        }
        return isPrefix && term.startsWith(word) ? 0.6 * Math.sqrt(word.length / term.length) : 0;
    };
    let forms = lines.map((line) => ({ line, quality: qualityOf(termOf(line)) })).filter(({ quality }) => quality > 0);
    if (forms.length === 0 && word.length >= minCorrected) {
        forms = await corrections(lists, word);
    }
    forms.sort((a, b) => b.quality - a.quality);
    return passagesOf(forms.slice(0, maxForms), lists.passageCount);
}

/** The nearest words: those that begin alike, and those that end alike for a slip at the beginning. */
async function corrections(lists: TermLists, word: string): Promise<WeightedLine[]> {
    const maxSlips = word.length >= 8 ? 2 : 1;
    const half = Math.floor(word.length / 2);
    const begin = word.slice(0, half);
    const end = reversed(word.slice(-half));
    const [lines, endings] = await Promise.all([
        lists.lines("terms", begin, `${begin}\uffff`, word, 1),
        lists.lines("endings", end, `${end}\uffff`, reversed(word), 1),
    ]);
    const found = new Map(lines.map((line) => [termOf(line), line]));
    const candidates = [...new Set([...found.keys(), ...endings.map(reversed)])]
        .map((term) => ({ term, slips: slipsBetween(word, term, maxSlips) }))
        .filter(({ slips }) => slips <= maxSlips);
    const fewest = Math.min(...candidates.map(({ slips }) => slips));
    const nearest = candidates
        .filter(({ slips }) => slips === fewest)
        .sort((a, b) => Math.abs(a.term.length - word.length) - Math.abs(b.term.length - word.length))
        .slice(0, maxCorrections);
    const corrected = await Promise.all(
        nearest.map(async ({ term }) => {
            const line =
                found.get(term) ?? (await lists.lines("terms", term, term, term)).find((each) => termOf(each) === term);
            return { line, quality: 0.4 / (1 + Math.abs(term.length - word.length) / 4) };
        }),
    );
    return corrected.flatMap(({ line, quality }) => (line === undefined ? [] : [{ line, quality }]));
}

/** Letters that are wrong, missing, too many, or swapped with their neighbours; the term may go on after the word. */
function slipsBetween(word: string, term: string, maxSlips: number): number {
    if (term.length < word.length - maxSlips) {
        return Infinity;
    }
    const length = Math.min(term.length, word.length + maxSlips);
    let before: number[] = [];
    let row = Array.from({ length: length + 1 }, (_, at) => at);
    for (let i = 1; i <= word.length; i++) {
        const next = [i];
        for (let j = 1; j <= length; j++) {
            const cost = word[i - 1] === term[j - 1] ? 0 : 1;
            let slips = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + cost);
            if (i > 1 && j > 1 && word[i - 1] === term[j - 2] && word[i - 2] === term[j - 1]) {
                slips = Math.min(slips, before[j - 2]! + 1);
            }
            next.push(slips);
        }
        if (Math.min(...next) > maxSlips) {
            return Infinity;
        }
        before = row;
        row = next;
    }
    return Math.min(...row);
}

function commonStart(a: string, b: string): string {
    let length = 0;
    while (length < a.length && a[length] === b[length]) {
        length += 1;
    }
    return a.slice(0, length);
}

function reversed(word: string): string {
    return word.split("").reverse().join("");
}
