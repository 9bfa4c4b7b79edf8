import { getOrMake } from "../../text/get-or-make.js";

/**
 * The ranks of a term in a passage, best first: in a title of few words, in another title, in a heading, several times
 * in the text, in the text. `contract/src/search/term-passages.ts` gives them weights.
 */
export const ranks = ["shortTitle", "title", "heading", "often", "text"] as const;

export type Rank = 0 | 1 | 2 | 3 | 4;

/** Pages are numbered in reading order, and their numbers are written in groups of this size. */
const pagesOfAGroup = 32;

const passagesOfAPage = 65_536;

/**
 * The approximate maximum number of passages for a term, the best first. Browsers show only a few; without a limit, the
 * most common words would dominate the download.
 */
export const maxPassagesOfATerm = 600;

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The passages in which a term has one rank, as plain numbers because there are so many. */
export class Postings {
    readonly #listed: number[] = [];
    /** Includes the passages that are not listed. */
    total = 0;

    get listed(): number {
        return this.#listed.length;
    }

    /** @returns the number of the passage among those of all pages */
    add(page: number, passage: number): number {
        const added = page * passagesOfAPage + passage;
        this.addNumber(added);
        return added;
    }

    addNumber(added: number): void {
        this.total += 1;
        // Groups are listed completely, so that adding a page to one does not change the lists of the others.
        if (this.listed < maxPassagesOfATerm || groupOf(this.#listed.at(-1) ?? 0) === groupOf(added)) {
            this.#listed.push(added);
        }
    }

    /** For each group with such passages: its distance from the previous group, their number, and the passages. */
    get text(): string {
        const groups = new Map<number, number[]>();
        // Pages for only some readers come after those for everybody, regardless of their order.
        for (const passage of [...this.#listed].sort((one, other) => one - other)) {
            getOrMake(groups, groupOf(passage), () => []).push(passage);
        }
        let text = "";
        let before = 0;
        for (const [group, passages] of groups) {
            text += writeNumber(group - before) + writeNumber(passages.length) + passages.map(writePassage).join("");
            before = group;
        }
        return text;
    }
}

function groupOf(passage: number): number {
    return Math.floor(passage / passagesOfAPage / pagesOfAGroup);
}

/** A number in base 32, the lowest digit first; the sixth bit marks that more digits follow. */
function writeNumber(value: number): string {
    let text = "";
    let rest = value;
    while (rest >= 32) {
        text += digits.charAt((rest % 32) + 32);
        rest = Math.floor(rest / 32);
    }
    return text + digits.charAt(rest);
}

/** A passage within a group: a digit for the page, whose sixth bit marks that the passage's number follows. */
function writePassage(passage: number): string {
    const page = Math.floor(passage / passagesOfAPage) % pagesOfAGroup;
    const inPage = passage % passagesOfAPage;
    return inPage === 0 ? digits.charAt(page) : digits.charAt(page + 32) + writeNumber(inPage);
}
