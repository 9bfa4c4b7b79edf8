import { type WordPassages } from "./term-passages.js";
import { maxLettersOfATerm, termsOf } from "./words.js";
import { eachWord } from "./word-places.js";

/** BM25's parameter k1: a lower value gives less weight to repeated words. */
const saturation = 1.2;
/** BM25's parameter b: how much a text's length reduces the weight of its words, from 0 to 1. */
const lengthShare = 0.3;
const usualWords = 80;
/** Words at most this far apart belong together. */
const nearby = 4;
/** The weight of a pair whose words are in the opposite order. */
const reversedPair = 0.7;

const nameParts = /[a-z][A-Z]/;

/** Finds the words of a query in text. */
export class FoundWords {
    /**
     * How well a word matches each word of the query; undefined if it matches none. Cached, because most words occur
     * repeatedly.
     */
    readonly #known = new Map<string, readonly number[] | undefined>();
    /** The first letters and lengths of the query's terms, which few words of a text share. */
    readonly #starts = new Set<number>();

    constructor(private readonly found: readonly WordPassages[]) {
        for (const { terms } of found) {
            for (const term of terms.keys()) {
                this.#starts.add(startOf(term.charCodeAt(0), term.length));
            }
        }
    }

    /** Returns how well text matches each of the words: 1 for the word itself, less for another form of it. */
    strengths(text: string): number[] {
        return this.#measure(text).best;
    }

    /**
     * Like `strengths`, but for a long text: repeated words count more. Also returns how near each word of the query is
     * to the query's next word.
     */
    weights(text: string): { weights: number[]; nearness: number[] } {
        const { best, sums, nearness, wordCount } = this.#measure(text);
        const norm = saturation * (1 - lengthShare + (lengthShare * wordCount) / usualWords);
        const weights = best.map((quality, at) => {
            const count = quality === 0 ? 0 : sums[at]! / quality;
            return (quality * count * (saturation + 1)) / (count + norm);
        });
        return { weights, nearness };
    }

    #measure(text: string): { best: number[]; sums: number[]; nearness: number[]; wordCount: number } {
        const best = this.found.map(() => 0);
        const nearness = this.found.map(() => 0);
        const last = this.found.map(() => -Infinity);
        const join = (first: number, second: number, weight: number, least: number) => {
            const distance = Math.abs(last[first]! - last[second]!);
            if (distance >= least && distance <= nearby) {
                const pair = Math.min(first, second);
                nearness[pair] = Math.max(nearness[pair]!, weight / Math.max(1, distance));
            }
        };
        const sums = this.found.map(() => 0);
        let wordCount = 0;
        eachWord(text, (from, to, isPlain) => {
            wordCount += 1;
            if (isPlain && to - from <= maxLettersOfATerm) {
                // The only term of a short plain word is the word in lower case.
                const first = text.charCodeAt(from);
                const isCapital = first >= 65 && first <= 90;
                if (!this.#starts.has(startOf(isCapital ? first + 32 : first, to - from))) {
                    return;
                }
            }
            const word = text.slice(from, to);
            // The parts of a name such as `exportSite` say little about the sentence around it.
            const isName = !isPlain && nameParts.test(word);
            this.#of(word)?.forEach((quality, at) => {
                if (quality === 0) {
                    return;
                }
                best[at] = Math.max(best[at]!, quality);
                sums[at]! += quality;
                if (isName) {
                    return;
                }
                last[at] = wordCount;
                // A word with hyphens, such as "read-only", may be two words of the query.
                const least = isPlain ? 1 : 0;
                join(at - 1, at, 1, least);
                join(at + 1, at, reversedPair, least);
            });
        });
        return { best, sums, nearness, wordCount };
    }

    #of(word: string): readonly number[] | undefined {
        if (!this.#known.has(word)) {
            const terms = termsOf(word).map(({ term }) => term);
            const qualities = this.found.map((each) =>
                terms.reduce((best, term) => Math.max(best, each.terms.get(term) ?? 0), 0),
            );
            this.#known.set(word, qualities.some((quality) => quality > 0) ? qualities : undefined);
        }
        return this.#known.get(word);
    }
}

const startOf = (firstLetter: number, length: number): number => firstLetter * (maxLettersOfATerm + 1) + length;
