import { type Readers, unionOf, hasOddCharacter } from "../../read/readers/readers.js";
import { SiteError } from "../../problems/site-error.js";
import { type SiteOutput, withNames } from "./site-output.js";

/** The files of an export that not everybody may read. */
export class ReadersList {
    readonly #files = new Map<string, readonly string[]>();

    /** Returns an output that records the readers of its files. */
    outputFor(readers: Readers, output: SiteOutput): SiteOutput {
        return readers === undefined ? output : withNames(output, (file) => this.#listed(file, readers));
    }

    /**
     * One entry per line, in byte order of the names, so that a server can read it line by line. The list is part of
     * the bundle's format; see docs/guides/private-pages.md.
     */
    get text(): string {
        const entries = [...this.#files].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        const lines = entries.map(([name, readers]) => {
            const groups = readers.map((group) => JSON.stringify(group));
            return `    ${JSON.stringify(name)}: [${groups.join(", ")}]`;
        });
        const files = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
        return `{\n  "formatVersion": 1,\n  "files": ${files}\n}\n`;
    }

    #listed(file: string, readers: readonly string[]): string {
        if (hasOddCharacter(file)) {
            throw new SiteError(
                file,
                undefined,
                "the name of a private file must not contain a quote: rename the file",
            );
        }
        this.#files.set(file, unionOf(this.#files.get(file) ?? readers, readers) ?? []);
        return file;
    }
}
