import { getOrMake } from "../../text/get-or-make.js";
import { type SearchSection } from "../../text/search-text.js";
import { groupOf, maxPassagesOfATerm, numberOfPassage, Postings, type Rank, ranks, textOfGroup } from "./postings.js";
import { type Vocabulary } from "./vocabulary.js";

/** For each term and each of its ranks, the numbers of the passages, counted across all pages. */
export type TermsOfGroup = Map<string, number[][]>;

/** The terms of a group of pages. */
export interface RecordedTerms {
    readonly group: number;
    /** `term list list`, with the group's list in `Postings` for each rank. */
    readonly lines: string;
}

/** @param terms of the pages of one group of the search */
export function toRecordedTerms(terms: TermsOfGroup): RecordedTerms {
    let group = 0;
    const lines = [...terms].map(([term, lists]) => {
        const texts = lists.map((passages) => {
            const [first] = passages;
            if (first === undefined) {
                return "";
            }
            group = groupOf(first);
            return textOfGroup(passages);
        });
        return `${term} ${texts.join(" ")}`.trimEnd();
    });
    return { group, lines: lines.join("\n") };
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

/** All terms of the pages that are searched together. */
export class TermIndex {
    /**
     * For each rank, the terms with this rank in some passage, and their passages. Most terms of a large site have one
     * rank in one passage. A plain number takes an eighth of the memory of a list with one passage.
     */
    readonly #ofRanks = ranks.map(() => new Map<string, Postings | number>());
    passageCount = 0;

    /** @param words caches the terms of words for all indexes */
    constructor(private readonly words: Vocabulary) {}

    get terms(): string[] {
        const all = this.#ofRanks.flatMap((terms) => [...terms.keys()]).sort();
        return all.filter((term, at) => term !== all[at - 1]);
    }

    /** @param recorded receives the added terms */
    add(
        { number, title, keywords }: SearchedPage,
        passages: readonly (readonly SearchSection[])[],
        recorded?: TermsOfGroup,
    ): void {
        const addTerm = (term: string, rank: Rank, passage: number) => {
            const added = numberOfPassage(number, passage);
            this.#add(term, rank, added);
            if (recorded !== undefined) {
                getOrMake(recorded, term, () => ranks.map((): number[] => []))[rank]?.push(added);
            }
        };
        this.passageCount += passages.length;
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

    /** Adds the recorded terms of a group of pages whose numbers have not changed. */
    addRecorded(passageCount: number, { group, lines }: RecordedTerms): void {
        this.passageCount += passageCount;
        for (const line of lines === "" ? [] : lines.split("\n")) {
            const [term = "", ...lists] = line.split(" ");
            for (const [rank, text] of lists.entries()) {
                if (text !== "") {
                    this.#postings(term, rank as Rank).addGroup(group, text);
                }
            }
        }
    }

    *lines(terms: readonly string[]): Generator<string> {
        for (const term of terms) {
            yield this.#lineOf(term);
        }
    }

    /**
     * `term list list`, one list per rank; `term*number` adds the number of a term's passages if the lists do not
     * contain all of them.
     */
    #lineOf(term: string): string {
        let listed = 0;
        let total = 0;
        const texts = this.#ofRanks.map((terms) => {
            const found = terms.get(term);
            const list = typeof found === "number" ? postingsOf(found) : found;
            total += list?.total ?? 0;
            if (list === undefined || listed >= maxPassagesOfATerm) {
                return "";
            }
            listed += list.listed;
            return list.text;
        });
        return `${term}${listed < total ? `*${total}` : ""} ${texts.join(" ")}`.trimEnd();
    }

    #add(term: string, rank: Rank, passage: number): void {
        const terms = this.#ofRanks[rank] as Map<string, Postings | number>;
        if (terms.has(term)) {
            this.#postings(term, rank).add(passage);
        } else {
            terms.set(term, passage);
        }
    }

    #postings(term: string, rank: Rank): Postings {
        const terms = this.#ofRanks[rank] as Map<string, Postings | number>;
        const found = terms.get(term);
        if (typeof found === "object") {
            return found;
        }
        const postings = found === undefined ? new Postings() : postingsOf(found);
        terms.set(term, postings);
        return postings;
    }
}

function postingsOf(passage: number): Postings {
    const postings = new Postings();
    postings.add(passage);
    return postings;
}
