import { getHeapStatistics } from "node:v8";

/**
 * The limit for the text of all pages in memory. A larger site is read twice, because its text does not fit into the
 * memory of an export.
 */
const maxCharacters = Math.min(16_000_000, getHeapStatistics().heap_size_limit / 16);

/** The text of pages, which is needed to plan a page and again to write it. */
export class PageSources {
    readonly #kept = new Map<string, string>();
    #room: number;
    #last: { readonly file: string; readonly source: string } | undefined;

    /** @param read returns a file's text @param room the maximum number of characters in memory */
    constructor(
        private readonly read: (file: string) => string,
        room = maxCharacters,
    ) {
        this.#room = room;
    }

    /** Reads a page's text for planning. */
    first(file: string): string {
        const source = this.read(file);
        if (source.length <= this.#room) {
            this.#kept.set(file, source);
            this.#room -= source.length;
        }
        return source;
    }

    /** Whether the text of a file is still in memory. */
    keeps(file: string): boolean {
        return this.#kept.has(file);
    }

    /** @param check throws if the text has changed since the first read */
    again(file: string, check: (source: string) => void): string {
        const kept = this.#last?.file === file ? this.#last.source : this.#kept.get(file);
        if (kept !== undefined) {
            return kept;
        }
        const source = this.read(file);
        check(source);
        this.#last = { file, source };
        return source;
    }
}
