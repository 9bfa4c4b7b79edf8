import { constants, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Writes an export's files.
 *
 * Each call blocks for the moment that one file takes: for thousands of small files that is several times faster than
 * promises, and whoever calls it lets others have their turn in between.
 */
export class OutputFolder {
    private readonly made = new Set<string>();

    private constructor(private readonly folder: string) {}

    /** Refuses a folder with something in it: what an earlier export left would be served along with this one. */
    static create(folder: string): OutputFolder {
        mkdirSync(folder, { recursive: true });
        if (readdirSync(folder).length > 0) throw new Error(`The folder to export to is not empty: ${folder}`);
        return new OutputFolder(folder);
    }

    write(file: string, content: string): void {
        writeFileSync(this.pathOf(file), content);
    }

    copy(file: string, from: string): void {
        copyFileSync(from, this.pathOf(file), constants.COPYFILE_FICLONE);
    }

    private pathOf(file: string): string {
        const path = join(this.folder, file);
        const folder = dirname(path);
        if (!this.made.has(folder)) {
            mkdirSync(folder, { recursive: true });
            this.made.add(folder);
        }
        return path;
    }
}
