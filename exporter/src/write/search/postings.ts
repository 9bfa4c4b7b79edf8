import { listDigits, ListReader, pagesOfAGroup, passagesOfAPage } from "@pulumi-static-export/contract/search";

/**
 * The ranks of a term in a passage, best first: in a title of few words, in another title, in a heading, several times
 * in the text, or once in the text. `contract/src/search/term-passages.ts` gives each rank a weight.
 */
export const ranks = ["shortTitle", "title", "heading", "often", "text"] as const;

export type Rank = 0 | 1 | 2 | 3 | 4;

/**
 * The approximate maximum number of passages for a term; the index contains the best ones. Browsers show only a few
 * passages, and without a limit, the most common words would dominate the download.
 */
export const maxPassagesOfATerm = 600;

/**
 * The passages in which a term has one rank, in the text form of the index: for each group with passages, the group's
 * distance from the previous group, the number of its passages, and the passages.
 */
export class Postings {
    text = "";
    listed = 0;
    #lastGroup = 0;

    /**
     * Adds a list of passages. Lists groups completely, so that adding a page to one group does not change the lists of
     * other groups.
     * @returns the number of all passages in the list, including passages beyond the limit
     */
    add(list: string): number {
        let count = 0;
        eachGroup(list, (group, passages, size) => {
            count += size;
            if (this.listed < maxPassagesOfATerm) {
                this.listed += size;
                this.#addGroup(group, passages);
            }
        });
        return count;
    }

    #addGroup(group: number, passages: string): void {
        if (group >= this.#lastGroup) {
            this.text += writeNumber(group - this.#lastGroup) + passages;
            this.#lastGroup = group;
            return;
        }
        // Pages for certain readers are added after public pages, regardless of their numbers.
        const groups: [number, string][] = [];
        eachGroup(this.text, (each, ofEach) => groups.push([each, ofEach]));
        const later = groups.findIndex(([each]) => each > group);
        groups.splice(later, 0, [group, passages]);
        this.text = groups
            .map(([each, ofEach], at) => writeNumber(each - (groups[at - 1]?.[0] ?? 0)) + ofEach)
            .join("");
    }
}

/** A list of passages of one group; an empty string without passages. */
export function listOfGroup(group: number, passages: readonly number[]): string {
    return passages.length === 0
        ? ""
        : writeNumber(group) + writeNumber(passages.length) + passages.map(writePassage).join("");
}

/** Calls a function with the groups of a list, the groups' passages, and the number of these passages. */
function eachGroup(list: string, use: (group: number, passages: string, size: number) => void): void {
    const reader = new ListReader(list);
    for (let group = 0; !reader.isAtEnd;) {
        group += reader.number();
        const start = reader.at;
        const size = reader.number();
        if (list.length - reader.at === size) {
            // The rest are passages of one character each.
            use(group, list.slice(start), size);
            return;
        }
        for (let passage = 0; passage < size; passage++) {
            if (reader.digit() >= 32) {
                reader.number();
            }
        }
        use(group, list.slice(start, reader.at), size);
    }
}

/** The number of a passage among the passages of all pages. */
export function numberOfPassage(page: number, passage: number): number {
    return page * passagesOfAPage + passage;
}

/** The group of a page, given its number. */
export function groupOf(page: number): number {
    return Math.floor(page / pagesOfAGroup);
}

/** Writes a number as `ListReader` reads it. */
function writeNumber(value: number): string {
    let text = "";
    let rest = value;
    while (rest >= 32) {
        text += listDigits.charAt((rest % 32) + 32);
        rest = Math.floor(rest / 32);
    }
    return text + listDigits.charAt(rest);
}

/** A passage within a group: a digit for the page, whose sixth bit marks that the passage's number follows. */
function writePassage(passage: number): string {
    const page = Math.floor(passage / passagesOfAPage) % pagesOfAGroup;
    const inPage = passage % passagesOfAPage;
    return inPage === 0 ? listDigits.charAt(page) : listDigits.charAt(page + 32) + writeNumber(inPage);
}
