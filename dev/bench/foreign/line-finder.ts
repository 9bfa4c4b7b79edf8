/** Finds the line number of a position in a string; the first line is 1. */
export class LineFinder {
    readonly #starts: number[] = [0];

    constructor(text: string) {
        for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
            this.#starts.push(at + 1);
        }
    }

    /** Uses a binary search, because positions are requested in any order. */
    at(place: number): number {
        let low = 0;
        let high = this.#starts.length;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if ((this.#starts[middle] ?? 0) <= place) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low + 1;
    }
}
