/**
 * The digits of the index's lists of passages, which the exporter's `postings.ts` writes and browsers read. A digit has
 * five bits of a number; the sixth marks that more digits follow.
 */
export const listDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The values of the digits, by their character codes. */
const values = new Uint8Array(128);
for (const [value, digit] of [...listDigits].entries()) {
    values[digit.charCodeAt(0)] = value;
}

/** Pages are numbered in reading order, and lists contain their numbers in groups of this size. */
export const pagesOfAGroup = 32;

/** More than the passages of any page. A passage's key is its page's number times this, plus its number on the page. */
export const passagesOfAPage = 65_536;

/** Reads a list of passages. */
export class ListReader {
    at = 0;

    constructor(private readonly list: string) {}

    get isAtEnd(): boolean {
        return this.at >= this.list.length;
    }

    /** Any character that is not a digit counts as 0 and ends a number, so that even a damaged list has an end. */
    digit(): number {
        return values[this.list.charCodeAt(this.at++)] ?? 0;
    }

    /** A number in base 32, the lowest digit first. */
    number(): number {
        let value = 0;
        let factor = 1;
        let next;
        do {
            next = this.digit();
            value += (next % 32) * factor;
            factor *= 32;
        } while (next >= 32);
        return value;
    }
}
