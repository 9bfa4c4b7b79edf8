/** The most percent of a job that its build reports; the rest are the export's. */
export const buildShare = 90;

const pages: readonly RegExp[] = [
    /(?<!\d)(\d{1,9}) page\(s\) built/,
    /^\s*Pages\s*[│|]\s*(\d{1,9})(?!\d)/,
    /\bWrote (\d{1,9}) files?\b/,
    /Creating (\d{1,9}) pages/,
    /\bstatic pages\b.*\(\d{1,9}\/(\d{1,9})\)/i,
];

/** Reads the progress and the number of pages from a builder's log, as far as builders write them. */
export class BuildProgress {
    #percent = 0;
    #pageCount = 0;

    /** @returns the progress of the job, if the line has changed it */
    read(line: string): { progress: number; pageCount: number } | undefined {
        const [, done, total] = /\((\d{1,6})\/(\d{1,6})\)/.exec(line) ?? [];
        const percent =
            total === undefined
                ? Number(/(?:^|[\s([])(\d{1,3})\s?%/.exec(line)?.[1] ?? 0)
                : (100 * Number(done)) / Math.max(1, Number(total));
        const count = pages.map((pattern) => Number(pattern.exec(line)?.[1] ?? 0)).find((each) => each > 0) ?? 0;
        if ((percent <= this.#percent || percent > 100) && count <= this.#pageCount) {
            return undefined;
        }
        this.#percent = percent > 100 ? this.#percent : Math.max(this.#percent, percent);
        this.#pageCount = Math.max(this.#pageCount, count);
        return { progress: Math.floor((this.#percent * buildShare) / 100), pageCount: this.#pageCount };
    }
}
