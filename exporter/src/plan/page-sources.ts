/** All texts that are kept together: a larger site is read twice, because its text does not fit into the memory of an export. */
const maxCharacters = 32_000_000;

/** Texts that were read again: the pages that are rendered ahead, until they are written. */
const maxRecentCharacters = 2_000_000;

/** The texts of pages, which are needed when a page is planned and again when it is written. */
export class PageSources {
    readonly #read: (file: string) => string;
    readonly #kept = new Map<string, string>();
    #room: number;
    readonly #recent = new Map<string, string>();
    #recentRoom: number;

    /** @param read gives a file's text @param room how many characters are kept @param recentRoom how many of those that were read again */
    constructor(read: (file: string) => string, room = maxCharacters, recentRoom = maxRecentCharacters) {
        this.#read = read;
        this.#room = room;
        this.#recentRoom = recentRoom;
    }

    /** Reads a page's text when the page is planned. */
    first(file: string): string {
        const source = this.#read(file);
        if (source.length <= this.#room) {
            this.#kept.set(file, source);
            this.#room -= source.length;
        }
        return source;
    }

    /** @param check throws when the text is another one than the first time */
    again(file: string, check: (source: string) => void): string {
        const kept = this.#kept.get(file) ?? this.#recent.get(file);
        if (kept !== undefined) {
            return kept;
        }
        const source = this.#read(file);
        check(source);
        this.#recent.set(file, source);
        this.#recentRoom -= source.length;
        for (const [oldest, text] of this.#recent) {
            if (this.#recentRoom >= 0 || oldest === file) {
                break;
            }
            this.#recent.delete(oldest);
            this.#recentRoom += text.length;
        }
        return source;
    }
}
