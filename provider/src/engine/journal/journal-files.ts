import { randomUUID } from "node:crypto";
import { constants, rmSync } from "node:fs";
import { mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addName, readReplacedFile, replaceFile } from "@pulumi-static-export/contract/replace-file";

/** Older files are removed, because no job is resumed after this time. */
const maxAgeMs = 7 * 24 * 3600 * 1000;

interface JournalFilesOptions {
    /** Called once if the folder is not writable. */
    report: (problem: string) => void;
    now: () => number;
    /** Whether a file may be removed although it is less than seven days old. */
    isDone: (name: string, content: unknown, ageMs: number) => boolean;
}

/**
 * The files of the journal: small JSON files, readable only by their owner, and written atomically. Errors never fail
 * an export: entries that cannot be written stay in memory for the operations of this process.
 */
export class JournalFiles {
    readonly #folder: string | undefined;
    readonly #options: JournalFilesOptions;
    readonly #unwritten = new Map<string, unknown>();
    #ready: Promise<void> | undefined;
    #hasReported = false;

    /** @param folder - undefined if there is none, for example for a user without a home folder */
    constructor(folder: string | undefined, options: JournalFilesOptions) {
        this.#folder = folder;
        this.#options = options;
    }

    /** Lists the names that begin with `prefix`. Empty if the folder is missing or cannot be read. */
    async list(prefix: string): Promise<string[]> {
        const names = this.#folder === undefined ? [] : await readdir(this.#folder).catch((): string[] => []);
        return [...new Set([...names, ...this.#unwritten.keys()])].filter(
            (name) => name.startsWith(prefix) && name.endsWith(".json"),
        );
    }

    /** Returns undefined for a missing file, and null for one that cannot be read: neither must fail an update. */
    async read(name: string): Promise<unknown> {
        if (this.#unwritten.has(name) || this.#folder === undefined) {
            return this.#unwritten.get(name);
        }
        try {
            return JSON.parse(await readReplacedFile(join(this.#folder, name))) as unknown;
        } catch (error) {
            return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "") ? undefined : null;
        }
    }

    async write(name: string, content: unknown): Promise<void> {
        const isWritten = await this.#try(async (folder) => {
            await withDraft(folder, name, content, (draft) => replaceFile(draft, join(folder, name)));
            return true;
        });
        this.#noteWritten(name, content, isWritten ?? false);
    }

    /** Creates a file; returns false if it exists already. Exactly one of several concurrent processes gets true. */
    async create(name: string, content: unknown): Promise<boolean> {
        if (this.#unwritten.has(name)) {
            return false;
        }
        const isCreated = await this.#try((folder) =>
            withDraft(folder, name, content, (draft) => addName(draft, join(folder, name))),
        );
        if (isCreated === undefined && this.#unwritten.has(name)) {
            return false;
        }
        this.#noteWritten(name, content, isCreated !== undefined);
        return isCreated ?? true;
    }

    /**
     * Writes a file in place, so that network file systems show the new content immediately. The file's length must
     * never change.
     */
    async overwrite(name: string, content: unknown): Promise<void> {
        const isWritten = await this.#try(async (folder) => {
            const file = await open(join(folder, name), constants.O_WRONLY | constants.O_CREAT, 0o600);
            try {
                await file.write(JSON.stringify(content), 0);
            } finally {
                await file.close();
            }
            return true;
        });
        this.#noteWritten(name, content, isWritten ?? false);
    }

    async remove(name: string): Promise<void> {
        this.#unwritten.delete(name);
        await this.#try((folder) => rm(join(folder, name), { force: true }));
    }

    /** Removes the file synchronously, for a process that is about to exit. */
    removeNow(name: string): void {
        this.#unwritten.delete(name);
        if (this.#folder !== undefined) {
            try {
                rmSync(join(this.#folder, name), { force: true });
            } catch {
                // The process is about to exit and cannot report the error.
            }
        }
    }

    #noteWritten(name: string, content: unknown, isOnDisk: boolean): void {
        if (isOnDisk) {
            this.#unwritten.delete(name);
        } else {
            this.#unwritten.set(name, content);
        }
    }

    /** Returns undefined if the folder cannot be written. */
    async #try<T>(write: (folder: string) => Promise<T>): Promise<T | undefined> {
        try {
            if (this.#folder === undefined) {
                throw new Error("there is no home folder for the journal");
            }
            // Prepared once per process: before every export, this would take quadratic time for hundreds of exports.
            await (this.#ready ??= this.#prepare(this.#folder));
            return await write(this.#folder);
        } catch (error) {
            if (!this.#hasReported) {
                this.#hasReported = true;
                this.#options.report(
                    "the journal cannot be written, so killing this run would lose its jobs: " +
                        `${(error as Error).message}. Set STATIC_EXPORT_JOURNAL_DIR to a writable folder.`,
                );
            }
            return undefined;
        }
    }

    async #prepare(folder: string): Promise<void> {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // Uses the modification time, because damaged entries and drafts of killed processes contain no time.
        for (const name of (await readdir(folder)).filter((file) => /\.(json|draft)$/.test(file))) {
            const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }));
            const ageMs = this.#options.now() - mtimeMs;
            if (ageMs > maxAgeMs || this.#options.isDone(name, await this.read(name), ageMs)) {
                await rm(join(folder, name), { force: true }).catch(() => undefined);
            }
        }
    }
}

async function withDraft<T>(
    folder: string,
    name: string,
    content: unknown,
    publish: (draft: string) => Promise<T>,
): Promise<T> {
    const draft = join(folder, `${name}.${randomUUID()}.draft`);
    try {
        await writeFile(draft, JSON.stringify(content), { mode: 0o600, flush: true });
        return await publish(draft);
    } finally {
        await rm(draft, { force: true }).catch(() => undefined);
    }
}
