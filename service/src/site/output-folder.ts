import { constants } from "node:fs";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes of several files at once hide a disk's delay; more of them gain nothing. */
const parallelWrites = 16;

/** Writes an export's files, some at a time. The first failure surfaces at the next write or at `finish`. */
export class OutputFolder {
    private readonly folders = new Map<string, Promise<unknown>>();
    private readonly running = new Set<Promise<void>>();
    private failure: unknown;

    private constructor(private readonly folder: string) {}

    /** Refuses a folder with something in it: what an earlier export left would be served along with this one. */
    static async create(folder: string): Promise<OutputFolder> {
        await mkdir(folder, { recursive: true });
        if ((await readdir(folder)).length > 0) throw new Error(`The folder to export to is not empty: ${folder}`);
        return new OutputFolder(folder);
    }

    async write(file: string, content: string): Promise<void> {
        await this.run(file, (path) => writeFile(path, content));
    }

    async copy(file: string, from: string): Promise<void> {
        await this.run(file, (path) => copyFile(from, path, constants.COPYFILE_FICLONE));
    }

    async finish(): Promise<void> {
        await Promise.all(this.running);
        if (this.failure !== undefined) throw this.failure as Error;
    }

    private async run(file: string, write: (path: string) => Promise<void>): Promise<void> {
        if (this.failure !== undefined) throw this.failure as Error;
        const path = join(this.folder, file);
        const writing = this.ensureFolder(dirname(path))
            .then(() => write(path))
            .catch((error: unknown) => {
                this.failure ??= error;
            })
            .finally(() => this.running.delete(writing));
        this.running.add(writing);
        if (this.running.size >= parallelWrites) await Promise.race(this.running);
    }

    private ensureFolder(folder: string): Promise<unknown> {
        let made = this.folders.get(folder);
        if (made === undefined) this.folders.set(folder, (made = mkdir(folder, { recursive: true })));
        return made;
    }
}
