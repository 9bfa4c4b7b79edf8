import {
    closeSync,
    createReadStream,
    createWriteStream,
    fstatSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    writeFile,
} from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { type SiteOutput } from "./site-output.js";

// The functions of node:fs/promises create a file handle, which costs more than writing a page.
const writeFileAsync = promisify(writeFile);

/** Files up to this size are copied in one step, because two streams cost more than a small file. */
const wholeBytes = 256 * 1024;

/** The maximum number of pages that wait to be written while the next pages are rendered. */
const maxRunning = 16;

/** Writes an export's files in the background. */
export class OutputFolder implements SiteOutput {
    private readonly made = new Set<string>();
    private readonly running = new Set<Promise<void>>();

    /**
     * Refuses a folder that is not empty, because servers would serve files of an earlier export together with this
     * export.
     */
    constructor(private readonly folder: string) {
        mkdirSync(folder, { recursive: true });
        if (readdirSync(folder).length > 0) {
            throw new Error(`The folder to export to is not empty: ${folder}`);
        }
    }

    async write(file: string, content: string | Uint8Array): Promise<void> {
        await this.enqueue(writeFileAsync(this.pathOf(file), content));
    }

    async copy(file: string, descriptor: number): Promise<void> {
        await this.enqueue(copyFrom(descriptor, this.pathOf(file)));
    }

    async finish(): Promise<void> {
        await Promise.all(this.running);
    }

    /** Waits for all pending writes, so that nothing is written later. Never rejects. */
    async settle(): Promise<void> {
        await Promise.allSettled(this.running);
    }

    private async enqueue(work: Promise<void>): Promise<void> {
        // The next caller that waits gets the error of a failed write.
        const task = work.then(() => void this.running.delete(task));
        task.catch(() => undefined);
        this.running.add(task);
        if (this.running.size >= maxRunning) {
            await Promise.race(this.running);
        }
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

async function copyFrom(descriptor: number, path: string): Promise<void> {
    if (fstatSync(descriptor).size > wholeBytes) {
        await pipeline(createReadStream("", { fd: descriptor }), createWriteStream(path));
        return;
    }
    try {
        await writeFileAsync(path, readFileSync(descriptor));
    } finally {
        closeSync(descriptor);
    }
}
