/**
 * The ranks of a term in a passage, best first: in a title of few words, in another title, in a heading, several times
 * in the text, or once in the text. `contract/src/search/term-passages.ts` gives each rank a weight.
 */
export const ranks = ["shortTitle", "title", "heading", "often", "text"] as const;

export type Rank = 0 | 1 | 2 | 3 | 4;

/** Pages are numbered in reading order, and their numbers are written in groups of this size. */
export const pagesOfAGroup = 32;

const passagesOfAPage = 65_536;

/**
 * The approximate maximum number of passages for a term; the index contains the best ones. Browsers show only a few
 * passages, and without a limit, the most common words would dominate the download.
 */
export const maxPassagesOfATerm = 600;

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The passages in which a term has one rank, in the text form of the index. */
export class Postings {
    /**
     * For each group with passages: the group's distance from the previous group, the number of its passages, and the
     * passages.
     */
    text = "";
    listed = 0;
    /** The number of all passages, including passages that are not listed. */
    total = 0;
    #lastGroup = 0;

    /**
     * Adds the passages of a group. Lists groups completely, so that adding a page to one group does not change the
     * lists of other groups.
     * @param group not less than the group of the previous call
     * @param passages as `textOfGroup` writes them
     */
    add(group: number, passages: string): void {
        const count = readNumber(passages);
        this.total += count;
        if (this.listed < maxPassagesOfATerm) {
            this.text += writeNumber(group - this.#lastGroup) + passages;
            this.listed += count;
            this.#lastGroup = group;
        }
    }
}

/** Writes the number of passages, and the passages; nothing without passages. @param passages of one group */
export function textOfGroup(passages: readonly number[]): string {
    return passages.length === 0 ? "" : writeNumber(passages.length) + passages.map(writePassage).join("");
}

/** The number of a passage among the passages of all pages. */
export function numberOfPassage(page: number, passage: number): number {
    return page * passagesOfAPage + passage;
}

/** The group of a passage, given its number among the passages of all pages. */
export function groupOf(passage: number): number {
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

/** The number at the start of a string. */
function readNumber(text: string): number {
    let value = 0;
    for (let [at, unit, digit] = [0, 1, 32]; digit >= 32; at += 1, unit *= 32) {
        digit = digits.indexOf(text.charAt(at));
        value += (digit % 32) * unit;
    }
    return value;
}

/** A passage within a group: a digit for the page, whose sixth bit marks that the passage's number follows. */
function writePassage(passage: number): string {
    const page = Math.floor(passage / passagesOfAPage) % pagesOfAGroup;
    const inPage = passage % passagesOfAPage;
    return inPage === 0 ? digits.charAt(page) : digits.charAt(page + 32) + writeNumber(inPage);
}
