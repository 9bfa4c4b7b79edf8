import { utimesSync } from "node:fs";

/** In 2001: archives whose files have no times contain 0, or another small number. */
const earliestSeconds = 1_000_000_000;

/**
 * Sets the modification times of a site's files. nginx builds ETags from time and size. Our exports give each file a
 * time that changes with its content. Other archives have one fixed time for many files, so browsers would not notice a
 * changed page of the same size. Files that share their time therefore get a time from the bundle's digest, which is
 * the same on all pods.
 */
export class FileTimes {
    readonly #folder: string;
    readonly #digestSeconds: number;
    /** The first file of each time; undefined once it has the digest's time. */
    readonly #firsts = new Map<number, string | undefined>();

    constructor(folder: string, sha256: string) {
        this.#folder = folder;
        this.#digestSeconds = Number.parseInt(sha256.slice(0, 7), 16);
    }

    set(file: string, modified: Date | undefined): void {
        const seconds = Math.floor((modified?.getTime() ?? 0) / 1000);
        if (seconds >= earliestSeconds && !this.#firsts.has(seconds)) {
            this.#firsts.set(seconds, file);
            this.#write(file, seconds);
            return;
        }
        const first = this.#firsts.get(seconds);
        if (first !== undefined) {
            this.#firsts.set(seconds, undefined);
            this.#write(first, this.#digestSeconds);
        }
        this.#write(file, this.#digestSeconds);
    }

    #write(file: string, seconds: number): void {
        utimesSync(`${this.#folder}/${file}`, seconds, seconds);
    }
}
