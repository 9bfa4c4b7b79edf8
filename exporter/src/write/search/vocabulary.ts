import { copyString } from "../../text/strings.js";
import { termsOf, wordPattern } from "@pulumi-static-export/contract/search";

/** The limit for remembered words, which few sites reach because pages repeat the same words. */
const maxRemembered = 50_000;

interface Word {
    readonly terms: readonly string[];
    /** The number of the term's occurrences since the last count. */
    times: number;
}

/** Finds the terms in text. The theme's `search-index.js` finds the terms in queries. */
export class Vocabulary {
    readonly #known = new Map<string, Word>();

    /** Counts the occurrences of each term in the given strings. */
    count(texts: readonly string[]): Map<string, number> {
        const met: Word[] = [];
        for (const text of texts) {
            for (const each of text.match(wordPattern) ?? []) {
                const word = this.#known.get(each) ?? this.#learn(each);
                if (word.times === 0) {
                    met.push(word);
                }
                word.times += 1;
            }
        }
        const counts = new Map<string, number>();
        for (const word of met) {
            for (const term of word.terms) {
                counts.set(term, (counts.get(term) ?? 0) + word.times);
            }
            word.times = 0;
        }
        return counts;
    }

    #learn(text: string): Word {
        const own = copyString(text);
        const word = { terms: termsOf(own).map(({ term }) => term), times: 0 };
        if (this.#known.size >= maxRemembered) {
            this.#known.clear();
        }
        this.#known.set(own, word);
        return word;
    }
}
