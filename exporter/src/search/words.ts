import { copyString } from "../text/copy-string.js";

/** Longer ones are cut: nobody types them to the end. */
const maxLettersOfATerm = 32;

/** Scripts that put no spaces between words; every two neighbouring characters are a term. */
const unspaced =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
const isAscii = /^[\0-\x7f]*$/;
const partsOfCamelCase = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** Texts say the same words over and over; a site's vocabulary stays below this. */
const maxRemembered = 200_000;

interface Word {
    readonly terms: readonly string[];
    /** How often it was met since the last count. */
    times: number;
}

/** Finds the terms of texts. The theme's `search-index.js` does the same with what readers type. */
export class Words {
    readonly #known = new Map<string, Word>();

    /** How often each term stands in the texts. */
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
        const word = { terms: termsOf(own), times: 0 };
        if (this.#known.size >= maxRemembered) {
            this.#known.clear();
        }
        this.#known.set(own, word);
        return word;
    }
}

/** @param word a run of letters and digits */
export function termsOf(word: string): string[] {
    const terms = isAscii.test(word) ? spacedTerms(word) : mixedTerms(word);
    return terms.map((term) => term.slice(0, maxLettersOfATerm)).filter((term) => term !== "");
}

function mixedTerms(word: string): string[] {
    const terms: string[] = [];
    let end = 0;
    for (const { 0: run, index } of word.matchAll(unspaced)) {
        terms.push(...spacedTerms(word.slice(end, index)), ...pairsOf(run));
        end = index + run.length;
    }
    return [...terms, ...spacedTerms(word.slice(end))];
}

/** A name such as `exportSite` is found by its parts, too. */
function spacedTerms(word: string): string[] {
    const parts = /[a-z][A-Z]/.test(word) ? (word.match(partsOfCamelCase) ?? []) : [];
    return [word, ...parts].map(fold);
}

function pairsOf(run: string): string[] {
    const letters = [...run];
    // Folded as a pair: the two may be a letter and a mark, which fold into one.
    const pairs = letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
    return pairs.map(fold);
}

/** Case and accents do not matter. */
function fold(text: string): string {
    const lower = text.toLowerCase();
    return isAscii.test(lower)
        ? lower
        : lower
              .normalize("NFD")
              .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, "")
              .normalize("NFC");
}
