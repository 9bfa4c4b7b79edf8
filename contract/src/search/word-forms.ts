import { type QueryWord } from "./query-words.js";
import { passagesOf, termOf, type WeightedLine, type WordPassages } from "./term-passages.js";

/** The maximum number of longer words that a prefix matches. */
const maxForms = 40;
/** Shorter words are not searched as prefixes, because too many words begin with them. */
const minPrefix = 3;
const minCorrected = 4;
/** If a query has several words, the other words decide which correction the reader meant. */
const maxCorrections = 8;
/** How well a synonym matches, compared with the word itself. */
const synonymQuality = 0.4;
/** How well another spelling matches. */
const spellingQuality = 0.9;

/** The sorted lists of a part of the site, in shards. */
export interface TermLists {
    readonly passageCount: number;
    readonly stem: (word: string) => string;
    /** Words with the same meaning. */
    readonly synonymsOf: (word: string) => readonly string[];
    /**
     * Returns the shards of a list between two terms, starting at most `before` shards before the shard of `near`. Each
     * shard consists of sorted entries, separated by commas.
     */
    readonly shards: (
        list: "terms" | "endings",
        from: string,
        to: string,
        near: string,
        before?: number,
    ) => Promise<string[]>;
}

/**
 * Whether the last word is too short for a prefix search, so that readers who are still typing would see no results.
 */
export function isBegun(word = ""): boolean {
    return word.length < minPrefix && isSpaced(word);
}

/** In scripts without spaces between words, a word of two characters is complete. */
function isSpaced(word: string): boolean {
    return /^[\p{Script=Latin}\p{N}]/u.test(word);
}

/**
 * Returns the passages that contain a word, other forms of it or its synonyms, with weights; if there are none, the
 * passages of similar words, because the word may be mistyped.
 */
export async function lookUp(lists: TermLists, { term: word, weight, spellings }: QueryWord): Promise<WordPassages> {
    const [own, ...others] = await Promise.all([
        formsOf(lists, word, 1),
        ...spellings.map((spelling) => formsOf(lists, spelling, spellingQuality)),
        ...lists.synonymsOf(word).map((synonym) => formsOf(lists, synonym, synonymQuality)),
    ]);
    const known = [...own, ...others.flat()];
    const isMistyped = known.length === 0 && word.length >= minCorrected;
    const forms = isMistyped ? await corrections(lists, word) : withoutRepeats(known);
    return passagesOf(forms.slice(0, maxForms), lists.passageCount, weight);
}

/** Sorts forms, the best first, and removes the later ones of each term. */
function withoutRepeats(forms: readonly WeightedLine[]): WeightedLine[] {
    const seen = new Set<string>();
    const sorted = [...forms].sort((a, b) => b.quality - a.quality);
    return sorted.filter(({ line }) => !seen.has(line) && seen.add(line));
}

/** @param weight how well the word matches the word of the query */
async function formsOf(lists: TermLists, word: string, weight: number): Promise<WeightedLine[]> {
    const stem = lists.stem(word);
    const lead = commonStart(word, stem);
    // A stem and its words may have different endings: "polici" is the stem of "policy".
    const start = lead.slice(0, Math.max(minPrefix - 1, lead.length - 1));
    const shards = await lists.shards("terms", start, `${word}\uffff`, word);
    const isPrefix = weight === 1 && (word.length >= minPrefix || !isSpaced(word));
    const qualityOf = (term: string) => {
        if (term === word) {
            return 1;
        }
        if (lists.stem(term) === stem) {
            return 0.8;
        }
        return isPrefix && term.startsWith(word) ? 0.6 * Math.sqrt(word.length / term.length) : 0;
    };
    const lines = shards.flatMap((shard) => entriesWith(start, shard));
    return lines
        .map((line) => ({ line, quality: weight * qualityOf(termOf(line)) }))
        .filter(({ quality }) => quality > 0);
}

/**
 * Finds the nearest words: words with the same beginning, and, for a mistake at the beginning, words with the same
 * ending.
 */
async function corrections(lists: TermLists, word: string): Promise<WeightedLine[]> {
    const maxSlips = word.length >= 8 ? 2 : 1;
    const half = Math.floor(word.length / 2);
    const begin = word.slice(0, half);
    const end = reversed(word.slice(-half));
    const [terms, endings] = await Promise.all([
        lists.shards("terms", begin, `${begin}\uffff`, word, 1),
        lists.shards("endings", end, `${end}\uffff`, reversed(word), 1),
    ]);
    const found = new Map(terms.flatMap(entriesOf).map((line) => [termOf(line), line]));
    const letters = lettersOf(word);
    const candidates = [...new Set([...found.keys(), ...endings.flatMap(entriesOf).map(reversed)])]
        .filter((term) => countOf(letters & ~lettersOf(term)) <= maxSlips)
        .map((term) => ({ term, slips: slipsBetween(word, term, maxSlips) }))
        .filter(({ slips }) => slips <= maxSlips);
    const fewest = Math.min(...candidates.map(({ slips }) => slips));
    const nearest = candidates
        .filter(({ slips }) => slips === fewest)
        .sort((a, b) => Math.abs(a.term.length - word.length) - Math.abs(b.term.length - word.length))
        .slice(0, maxCorrections);
    const corrected = await Promise.all(
        nearest.map(async ({ term }) => {
            const line = found.get(term) ?? (await lineOf(lists, term));
            return { line, quality: 0.4 / (1 + Math.abs(term.length - word.length) / 4) };
        }),
    );
    return corrected.flatMap(({ line, quality }) => (line === undefined ? [] : [{ line, quality }]));
}

async function lineOf(lists: TermLists, term: string): Promise<string | undefined> {
    const shards = await lists.shards("terms", term, term, term);
    return shards.flatMap((shard) => entriesWith(term, shard)).find((line) => termOf(line) === term);
}

function entriesOf(shard: string): string[] {
    return shard.split(",");
}

/** Returns the entries of a shard with this prefix, which are neighbours, because entries are sorted. */
function entriesWith(start: string, shard: string): string[] {
    const entries: string[] = [];
    let at = shard.startsWith(start) ? 0 : shard.indexOf(`,${start}`) + 1;
    while (shard.startsWith(start, at) && (at > 0 || entries.length === 0)) {
        const comma = shard.indexOf(",", at);
        entries.push(shard.slice(at, comma === -1 ? undefined : comma));
        at = comma + 1;
    }
    return entries;
}

/**
 * Returns a bit for each letter of a word; some letters share a bit. Each letter that a term lacks is at least one
 * mistake.
 */
function lettersOf(word: string): number {
    let letters = 0;
    for (let at = 0; at < word.length; at++) {
        letters |= 1 << (word.charCodeAt(at) & 31);
    }
    return letters;
}

function countOf(bits: number): number {
    let count = 0;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
        count += 1;
    }
    return count;
}

/**
 * Counts the letters that are wrong, missing, superfluous or swapped with their neighbours; the term may be longer than
 * the word.
 */
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
