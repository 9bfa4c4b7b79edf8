import { randomUUID } from "node:crypto";
import { constants, rmSync } from "node:fs";
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Older files say nothing useful: no job is resumed after that long. */
const maxAgeMs = 7 * 24 * 3600 * 1000;

export interface JournalFilesOptions {
    /** Told once when the folder cannot be written. */
    report: (problem: string) => void;
    now: () => number;
    /** Also removes files that are younger than seven days. */
    isDone: (name: string, content: unknown, ageMs: number) => boolean;
}

/**
 * The files of the journal: small JSON texts, readable by their owner only, written whole or not at all. Nothing here
 * fails an export: what cannot be written is kept in memory, where the runs of this process still find it.
 */
export class JournalFiles {
    readonly #folder: string | undefined;
    readonly #options: JournalFilesOptions;
    readonly #unwritten = new Map<string, unknown>();
    #ready: Promise<void> | undefined;
    #hasReported = false;

    /** @param folder - undefined where there is none, as for a user without a home */
    constructor(folder: string | undefined, options: JournalFilesOptions) {
        this.#folder = folder;
        this.#options = options;
    }

    /** Those that begin with `prefix`. Empty where the folder is missing, or may not be read. */
    async list(prefix: string): Promise<string[]> {
        const names = this.#folder === undefined ? [] : await readdir(this.#folder).catch((): string[] => []);
        return [...new Set([...names, ...this.#unwritten.keys()])].filter(
            (name) => name.startsWith(prefix) && name.endsWith(".json"),
        );
    }

    /** Undefined for a file that is gone, damaged or somebody else's: none of it is a reason to fail an update. */
    async read(name: string): Promise<unknown> {
        if (this.#unwritten.has(name)) {
            return this.#unwritten.get(name);
        }
        try {
            return JSON.parse(await readFile(join(this.#folder ?? "", name), "utf8")) as unknown;
        } catch {
            return undefined;
        }
    }

    async write(name: string, content: unknown): Promise<void> {
        const isWritten = await this.#try(async (folder) => {
            await withDraft(folder, name, content, (draft) => rename(draft, join(folder, name)));
            return true;
        });
        this.#noteWritten(name, content, isWritten ?? false);
    }

    /** Writes a file that is not there yet; false when it is. Of any number of processes exactly one is told true. */
    async create(name: string, content: unknown): Promise<boolean> {
        if (this.#unwritten.has(name)) {
            return false;
        }
        const isCreated = await this.#try((folder) =>
            withDraft(folder, name, content, (draft) => linkOnce(draft, join(folder, name), content)),
        );
        if (isCreated === undefined && this.#unwritten.has(name)) {
            return false;
        }
        this.#noteWritten(name, content, isCreated !== undefined);
        return isCreated ?? true;
    }

    /** Changes a file in place, so that network file systems show it at once. The text must always have one length. */
    async overwrite(name: string, content: unknown): Promise<void> {
        const isWritten = await this.#try(async (folder) => {
            const file = await open(join(folder, name), constants.O_WRONLY | constants.O_CREAT, 0o600);
            await file.write(JSON.stringify(content), 0).finally(() => file.close());
            return true;
        });
        this.#noteWritten(name, content, isWritten ?? false);
    }

    async remove(name: string): Promise<void> {
        this.#unwritten.delete(name);
        await this.#try((folder) => rm(join(folder, name), { force: true }));
    }

    /** The same before it returns, for a process that is about to end. */
    removeNow(name: string): void {
        this.#unwritten.delete(name);
        if (this.#folder !== undefined) {
            try {
                rmSync(join(this.#folder, name), { force: true });
            } catch {
                // The process ends, and nobody is left to be told.
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

    /** Undefined when the folder cannot be written. */
    async #try<T>(write: (folder: string) => Promise<T>): Promise<T | undefined> {
        try {
            if (this.#folder === undefined) {
                throw new Error("there is no home folder to keep it in");
            }
            // Once a process: with hundreds of exports at once it would be quadratic.
            await (this.#ready ??= this.#prepare(this.#folder));
            return await write(this.#folder);
        } catch (error) {
            if (!this.#hasReported) {
                this.#hasReported = true;
                this.#options.report(
                    `the journal cannot be written, so a kill of this run would lose its jobs: ${(error as Error).message}. ` +
                        "Set STATIC_EXPORT_JOURNAL_DIR to a folder that can be written.",
                );
            }
            return undefined;
        }
    }

    async #prepare(folder: string): Promise<void> {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // By the file's own time, because a damaged entry and the draft of a killed process tell none.
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

/** A link appears whole and fails where there is a file, on network file systems too. */
async function linkOnce(draft: string, path: string, content: unknown): Promise<boolean> {
    try {
        await link(draft, path);
        return true;
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EEXIST") {
            return false;
        }
        if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(code ?? "")) {
            throw error;
        }
    }
    return writeOnce(path, content);
}

/** For file systems without hard links. */
async function writeOnce(path: string, content: unknown): Promise<boolean> {
    let file;
    try {
        file = await open(path, "wx", 0o600);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") {
            return false;
        }
        throw error;
    }
    try {
        await file.writeFile(JSON.stringify(content));
    } finally {
        await file.close();
    }
    return true;
}
