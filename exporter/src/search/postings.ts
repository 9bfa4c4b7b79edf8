/**
 * How well a term stands for a passage, best first: in a title of few words, in another title, in a heading, several times
 * in the text, in the text. The theme's `search-index.js` gives them weights.
 */
export const ranks = ["shortTitle", "title", "heading", "often", "text"] as const;

export type Rank = 0 | 1 | 2 | 3 | 4;

/** Pages are numbered in reading order, and their numbers are written in groups of this many. */
export const pagesOfAGroup = 32;

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** A number in digits of five bits each, the lowest first; the sixth bit says that more follow. */
export function writeNumber(value: number): string {
    let text = "";
    let rest = value;
    while (rest >= 32) {
        text += digits.charAt((rest % 32) + 32);
        rest = Math.floor(rest / 32);
    }
    return text + digits.charAt(rest);
}

export function readNumber(text: string): number {
    let value = 0;
    let factor = 1;
    for (let at = 0; at < text.length; at += 1) {
        const digit = digits.indexOf(text.charAt(at));
        value += (digit % 32) * factor;
        factor *= 32;
        if (digit < 32) {
            break;
        }
    }
    return value;
}

/** One passage within a group: a digit for the page; its sixth bit says that the passage's number follows. */
export function writePosting(page: number, passage: number): string {
    const place = page % pagesOfAGroup;
    return passage === 0 ? digits.charAt(place) : digits.charAt(place + 32) + writeNumber(passage);
}
