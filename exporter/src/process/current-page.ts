import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const fileName = "current-page";

/** The page that an export is working on. The record survives a crash of the export process. */
export interface CurrentPage {
    /** Number of pages started so far. */
    count: number;
    /** The page's file, relative to the site's folder; empty between pages. */
    file: string;
}

/** Records the current page in a file of the job's work folder. */
export class CurrentPageWriter {
    readonly #descriptor: number;
    #count = 0;

    constructor(workDir: string) {
        this.#descriptor = openSync(join(workDir, fileName), "w");
    }

    /** @param file undefined between pages */
    set(file: string | undefined): void {
        this.#count += 1;
        // A line break ends the name, so that readers ignore the rest of an earlier, longer name.
        writeSync(this.#descriptor, `${this.#count} ${file ?? ""}\n`, 0);
    }

    close(): void {
        closeSync(this.#descriptor);
    }
}

/** Reads the number and name of the page that is being written; 0 and an empty name before the first page. */
export function readCurrentPage(workDir: string): CurrentPage {
    const path = join(workDir, fileName);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    const [, count = 0, file = ""] = /^(\d+) ([^\n]*)\n/.exec(text) ?? [];
    return { count: Number(count), file };
}
