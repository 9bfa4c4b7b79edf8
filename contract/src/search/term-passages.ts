import { ListReader, pagesOfAGroup, passagesOfAPage } from "./passage-list.js";

/**
 * The weights of a term in a title of few words, in another title, in a heading, several times in the text, once in the
 * text.
 */
const weights = [12, 9, 6, 2.5, 1];

/** A line of the index with a term, and how well the term matches a word of the query. */
export interface WeightedLine {
    readonly line: string;
    readonly quality: number;
}

/** The passages where a word of a query was found. */
export interface WordPassages {
    /** The score of each passage, by the passage's key. */
    readonly scores: ReadonlyMap<number, number>;
    /** The forms of the word that were found, with the quality of each. */
    readonly terms: ReadonlyMap<string, number>;
    /** Whether the index lists only some of the passages, because there are too many. */
    readonly isCut: boolean;
    readonly rarity: number;
    /** How much the word says about the subject of the query: rare words say more. */
    readonly importance: number;
}

/** A key consists of a page's number and a passage's number on the page. */
export function pageOf(key: number): { readonly page: number; readonly passage: number } {
    return { page: Math.floor(key / passagesOfAPage), passage: key % passagesOfAPage };
}

/** Returns the term of a line `term list list` or `term*number list list`. */
export function termOf(line: string): string {
    const name = line.slice(0, line.indexOf(" "));
    const star = name.indexOf("*");
    return star < 0 ? name : name.slice(0, star);
}

/** Less than 1, because the rarest word of a question is often not about its subject. */
const rarityExponent = 0.6;

/**
 * @param passageCount the number of passages in the index
 * @param weight how much the word says about the query's subject
 */
export function passagesOf(lines: readonly WeightedLine[], passageCount: number, weight: number): WordPassages {
    const scores = new Map<number, number>();
    const terms = new Map<string, number>();
    let isCut = false;
    let count = 0;
    for (const { line, quality } of lines) {
        const [name = "", ...lists] = line.split(" ");
        const [term = "", total] = name.split("*");
        terms.set(term, quality);
        isCut ||= total !== undefined;
        count += Number(total ?? 0);
        lists.forEach((list, rank) => {
            const score = quality * (weights[rank] ?? 0);
            eachKey(list, (key) => {
                count += total === undefined ? 1 : 0;
                if (!(scores.get(key)! >= score)) {
                    scores.set(key, score);
                }
            });
        });
    }
    const rarity = Math.log(1 + passageCount / Math.max(1, Math.min(count, passageCount)));
    return { scores, terms, isCut, rarity, importance: weight * rarity ** rarityExponent };
}

/** Calls a function with each key of a list that the exporter's `postings.ts` has written. */
function eachKey(list: string, use: (key: number) => void): void {
    const reader = new ListReader(list);
    let group = 0;
    while (!reader.isAtEnd) {
        group += reader.number();
        for (let rest = reader.number(); rest > 0 && !reader.isAtEnd; rest--) {
            const next = reader.digit();
            const page = group * pagesOfAGroup + (next % 32);
            use(page * passagesOfAPage + (next < 32 ? 0 : reader.number()));
        }
    }
}
