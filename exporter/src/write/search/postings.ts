import { getOrMake } from "../../text/get-or-make.js";

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

const none: never[] = [];

/** Shorter lists reserve no memory for further items, because a large site has many lists, and most are short. */
const shortList = 16;

/** The passages in which a term has one rank, as plain numbers because a site has many passages. */
export class Postings {
    #listed: number[] = none;
    #recorded: [group: number, text: string][] = none;
    listed = 0;
    /** The number of all passages, including passages that are not listed. */
    total = 0;

    /** @param added the number of a passage among the passages of all pages */
    add(added: number): void {
        this.total += 1;
        // Lists groups completely, so that adding a page to one group does not change the lists of other groups.
        if (this.listed < maxPassagesOfATerm || groupOf(this.#listed.at(-1) ?? 0) === groupOf(added)) {
            this.#listed = withItem(this.#listed, added);
            this.listed += 1;
        }
    }

    /** Adds the passages of a group. @param text as `textOfGroup` writes it */
    addGroup(group: number, text: string): void {
        const count = readNumber(text);
        this.total += count;
        if (this.listed < maxPassagesOfATerm) {
            this.#recorded = withItem(this.#recorded, [group, text]);
            this.listed += count;
        }
    }

    /**
     * For each group with passages: the group's distance from the previous group, the number of its passages, and the
     * passages.
     */
    get text(): string {
        let text = "";
        let before = 0;
        for (const [group, ofGroup] of this.#groups) {
            text += writeNumber(group - before) + ofGroup;
            before = group;
        }
        return text;
    }

    get #groups(): readonly (readonly [group: number, text: string])[] {
        if (this.#listed.length === 0) {
            return this.#recorded;
        }
        const groups = new Map<number, number[]>();
        // Sorts the passages, because pages for certain readers are added after public pages, regardless of their
        // numbers.
        for (const passage of [...this.#listed].sort((one, other) => one - other)) {
            getOrMake(groups, groupOf(passage), () => []).push(passage);
        }
        const listed = [...groups].map(([group, passages]) => [group, textOfGroup(passages)] as const);
        return this.#recorded.length === 0 ? listed : [...listed, ...this.#recorded].sort(([a], [b]) => a - b);
    }
}

/** Returns the list with the item: the same list, or a copy if the list is short. */
function withItem<T>(items: T[], item: T): T[] {
    if (items.length < shortList) {
        // Unlike `push`, reserves no memory for further items.
        return items.concat([item]);
    }
    items.push(item);
    return items;
}

/** Writes the number of passages, and the passages. @param passages of one group, in order */
export function textOfGroup(passages: readonly number[]): string {
    return writeNumber(passages.length) + passages.map(writePassage).join("");
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
