import { getOrMake } from "../text/get-or-make.js";
import { type SearchSection } from "../text/search-text.js";
import { pagesOfAGroup, writeNumber, writePosting, type Rank } from "./postings.js";
import { Words } from "./words.js";

/** The terms of some pages in a row, as one text: the maps of a whole site would take several times the memory. */
export interface GroupTerms {
    readonly group: number;
    readonly passages: number;
    /** Terms with their passages, by rank: `term 2AB 1C`, separated by commas. */
    readonly terms: string;
}

export interface SearchedPage {
    /** The part of the site that the page is searched in. */
    readonly scope: number;
    readonly number: number;
    readonly title: string;
    /** Words that the page does not hold, but is to be found by. */
    readonly keywords: readonly string[];
}

/** A term so often in a passage is what the passage is about. */
const oftenCount = 3;

/** A title of so many words is about each of them. */
const fewWords = 3;

interface Group {
    passages: number;
    readonly terms: Map<string, Postings>;
}

interface Postings {
    readonly counts: number[];
    readonly texts: string[];
}

/** Collects the terms of pages, which are added in the order of their numbers. */
export class GroupTermsCollector {
    readonly #words = new Words();
    readonly #complete = new Map<number, GroupTerms[]>();
    #group = 0;
    /** The pages of the current group, by the part of the site that they are searched in. */
    readonly #current = new Map<number, Group>();

    add({ scope, number, title, keywords }: SearchedPage, passages: readonly (readonly SearchSection[])[]): void {
        const group = this.#groupOf(scope, number);
        group.passages += passages.length;
        const keyTerms = this.#words.count(keywords);
        const titleTerms = [...this.#words.count([title]).keys()];
        passages.forEach((sections, passage) => {
            const inText = this.#words.count(sections.map(({ text }) => text));
            const inHeadings = this.#words.count(sections.map(({ heading }) => heading));
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
            const posting = writePosting(number, passage);
            raised.forEach((rank, term) => addPosting(group.terms, term, rank, posting));
            inText.forEach((times, term) => {
                if (!raised.has(term)) {
                    addPosting(group.terms, term, times >= oftenCount ? 3 : 4, posting);
                }
            });
        });
    }

    /** The terms of the pages of a scope, complete after the last page. */
    ofScope(scope: number): readonly GroupTerms[] {
        this.#completeGroup();
        return this.#complete.get(scope) ?? [];
    }

    #groupOf(scope: number, page: number): Group {
        const group = Math.floor(page / pagesOfAGroup);
        if (group !== this.#group) {
            this.#completeGroup();
            this.#group = group;
        }
        return getOrMake(this.#current, scope, () => ({ passages: 0, terms: new Map<string, Postings>() }));
    }

    #completeGroup(): void {
        for (const [scope, { passages, terms }] of this.#current) {
            const complete = { group: this.#group, passages, terms: [...terms].map(writeTerm).join(",") };
            getOrMake(this.#complete, scope, () => []).push(complete);
        }
        this.#current.clear();
    }
}

function addPosting(terms: Map<string, Postings>, term: string, rank: Rank, posting: string): void {
    const postings = getOrMake(terms, term, noPostings);
    postings.counts[rank] = (postings.counts[rank] as number) + 1;
    postings.texts[rank] += posting;
}

function noPostings(): Postings {
    return { counts: [0, 0, 0, 0, 0], texts: ["", "", "", "", ""] };
}

function writeTerm([term, { counts, texts }]: [string, Postings]): string {
    const lists = texts.map((text, rank) => (text === "" ? "" : writeNumber(counts[rank] as number) + text));
    return `${term} ${lists.join(" ").trimEnd()}`;
}
