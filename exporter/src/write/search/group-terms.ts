import { getOrMake } from "../../text/get-or-make.js";
import { type SearchSection } from "../../text/search-text.js";
import { listOfGroup, numberOfPassage, type Rank, ranks } from "./postings.js";
import { type Vocabulary } from "./vocabulary.js";

/** The terms of a group of pages. */
export interface RecordedTerms {
    readonly passageCount: number;
    /** A sorted line for each term: `term list list`, one list per rank, as `Postings` writes them. */
    readonly lines: string;
    /** The version of each page's text. */
    readonly versions: readonly (readonly [page: number, version: string])[];
}

export interface SearchedPage {
    readonly number: number;
    readonly title: string;
    /** Words that should find the page in the search although the page does not contain them. */
    readonly keywords: readonly string[];
}

/** A passage in which a term occurs at least this often is about the term. */
const oftenCount = 3;

/** A title of at most this many words is about each of its words. */
const fewWords = 3;

/** Finds the terms of the pages of one group. */
export class GroupTerms {
    /** For each rank, the terms with this rank in some passage, and these passages. */
    readonly #ofRanks = ranks.map(() => new Map<string, number[]>());
    #passageCount = 0;
    readonly #versions: [page: number, version: string][] = [];

    /** @param words caches the terms of words for all groups */
    constructor(
        private readonly group: number,
        private readonly words: Vocabulary,
    ) {}

    /** @param version of the page's text */
    add(
        { number, title, keywords }: SearchedPage,
        passages: readonly (readonly SearchSection[])[],
        version: string,
    ): void {
        this.#versions.push([number, version]);
        const addTerm = (term: string, rank: Rank, passage: number) => {
            const terms = this.#ofRanks[rank] as Map<string, number[]>;
            getOrMake(terms, term, () => []).push(numberOfPassage(number, passage));
        };
        this.#passageCount += passages.length;
        const keyTerms = this.words.count(keywords);
        const titleTerms = [...this.words.count([title]).keys()];
        passages.forEach((sections, passage) => {
            const inText = this.words.count(sections.map(({ text }) => text));
            const inHeadings = this.words.count(sections.map(({ heading }) => heading));
            const raised = new Map<string, Rank>();
            inHeadings.forEach((_, term) => raised.set(term, 2));
            if (passage === 0) {
                keyTerms.forEach((_, term) => raised.set(term, 2));
            }
            for (const term of titleTerms) {
                if (passage === 0) {
                    raised.set(term, titleTerms.length <= fewWords ? 0 : 1);
                } else if (!raised.has(term) && !inText.has(term)) {
                    raised.set(term, 4);
                }
            }
            raised.forEach((rank, term) => addTerm(term, rank, passage));
            inText.forEach((times, term) => {
                if (!raised.has(term)) {
                    addTerm(term, times >= oftenCount ? 3 : 4, passage);
                }
            });
        });
    }

    get recorded(): RecordedTerms {
        const terms = new Set(this.#ofRanks.flatMap((ofRank) => [...ofRank.keys()]));
        const lines = [...terms].sort().map((term) => {
            const lists = this.#ofRanks.map((ofRank) => listOfGroup(this.group, sorted(ofRank.get(term) ?? [])));
            return `${term} ${lists.join(" ")}`.trimEnd();
        });
        return { passageCount: this.#passageCount, lines: lines.join("\n"), versions: this.#versions };
    }
}

function sorted(numbers: readonly number[]): number[] {
    return [...numbers].sort((one, other) => one - other);
}
