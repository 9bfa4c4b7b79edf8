import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { homedir, hostname } from "node:os";
import { join } from "node:path";

/** Older entries say nothing useful: no job is resumed after that long. */
const maxAgeMs = 7 * 24 * 3600 * 1000;
/** A live wait touches its entry far more often than this, so an older entry has lost its owner. */
const heartbeatLapseMs = 5 * 60 * 1000;

/** Who waits for a job: a process, and one life of it, because process ids come back. */
interface Owner {
    host: string;
    pid: number;
    life: string;
}

interface Record {
    domain: string;
    /** Absent from the moment before the start request until its answer. */
    jobId?: string;
    startedAt: string;
    /** When the bundle was handed to Pulumi, which then saves it: from then on the entry is needed for moments only. */
    deliveredAt?: string;
    owner: Owner;
}

/** One job in flight, owned by this process. */
export interface JournalEntry {
    readonly domain: string;
    readonly jobId: string | undefined;
    readonly startedAt: string;
    readonly deliveredAt: string | undefined;
    /** Saves the id of the job that was started. */
    saveJob(jobId: string): Promise<void>;
    /** Says that the owner still waits. Never rejects: a missed beat is no reason to end a wait. */
    touch(): Promise<void>;
    /** Says that the bundle was handed to Pulumi. */
    saveDelivery(): Promise<void>;
    remove(): Promise<void>;
}

/**
 * The jobs in flight, one small file each, so that a run after a kill adopts the job instead of starting a second one.
 * Pulumi cannot help there: it saves nothing of a create that was killed.
 *
 * Entries are named after a hash of what is exported and hold a job id, a domain and the owner: no key, no link, no
 * trigger. Files are readable by their owner only, written whole or not at all, and pruned after seven days.
 * An entry is adopted by one process at most, and never while its owner lives.
 */
export class Journal {
    readonly #folder: string;
    readonly #now: () => number;
    readonly #owner: Owner;

    constructor(folder: string, options: { now?: () => number; owner?: Owner } = {}) {
        this.#folder = folder;
        this.#now = options.now ?? Date.now;
        this.#owner = options.owner ?? { host: hostname(), pid: process.pid, life: randomUUID() };
    }

    /** Where the journal is, unless `STATIC_EXPORT_JOURNAL_DIR` says otherwise: in the user's XDG state folder. */
    static defaultFolder(env: NodeJS.ProcessEnv): string {
        return (
            env.STATIC_EXPORT_JOURNAL_DIR ??
            join(env.XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "pulumi-static-export", "jobs")
        );
    }

    /** Takes over an entry of the same export whose owner is gone. */
    async adopt(exportKey: unknown): Promise<JournalEntry | undefined> {
        for (const name of await this.#namesOf(exportKey)) {
            const record = await this.#readOrphan(name);
            if (record === undefined) {
                continue;
            }
            const adopted = this.#newName(exportKey);
            try {
                await rename(join(this.#folder, name), join(this.#folder, adopted));
            } catch (error) {
                if (isMissing(error)) {
                    continue; // Another process was quicker: rename succeeds for one of them only.
                }
                throw error;
            }
            return this.#save(adopted, { ...record, owner: this.#owner });
        }
        return undefined;
    }

    /** Opens an entry before its job is started. */
    async open(exportKey: unknown, domain: string): Promise<JournalEntry> {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await this.#prune();
        return this.#save(this.#newName(exportKey), {
            domain,
            startedAt: new Date(this.#now()).toISOString(),
            owner: this.#owner,
        });
    }

    /** Drops the entries of a job whose outcome stands in the stack's state. */
    async forget(jobId: string): Promise<void> {
        for (const name of await this.#names()) {
            if ((await this.#read(name))?.jobId === jobId) {
                await this.#remove(name);
            }
        }
    }

    async #save(name: string, record: Record): Promise<JournalEntry> {
        const path = join(this.#folder, name);
        const write = async () => {
            const draft = `${path}.${randomUUID()}.draft`;
            await writeFile(draft, JSON.stringify(record), { mode: 0o600, flush: true });
            await rename(draft, path);
            const now = new Date(this.#now());
            await utimes(path, now, now);
        };
        await write();
        return {
            domain: record.domain,
            get jobId() {
                return record.jobId;
            },
            startedAt: record.startedAt,
            deliveredAt: record.deliveredAt,
            saveJob: async (jobId) => {
                record.jobId = jobId;
                await write();
            },
            touch: async () => {
                const now = new Date(this.#now());
                await utimes(path, now, now).catch(() => undefined);
            },
            saveDelivery: async () => {
                record.deliveredAt = new Date(this.#now()).toISOString();
                await write();
            },
            remove: () => this.#remove(name),
        };
    }

    async #readOrphan(name: string): Promise<Record | undefined> {
        const record = await this.#read(name);
        const touchedMs = await this.#touchedMs(name);
        if (record === undefined || touchedMs === undefined) {
            return undefined;
        }
        const { host, pid, life } = record.owner;
        const mayLive =
            this.#now() - touchedMs < heartbeatLapseMs &&
            (host !== this.#owner.host || (pid === this.#owner.pid ? life === this.#owner.life : isAlive(pid)));
        return mayLive || life === this.#owner.life ? undefined : record;
    }

    /** Undefined for an entry that is gone or damaged: a damaged one is no reason to fail an update. */
    async #read(name: string): Promise<Record | undefined> {
        try {
            const record = JSON.parse(await readFile(join(this.#folder, name), "utf8")) as Partial<Record> | null;
            return record?.owner && record.domain && record.startedAt ? (record as Record) : undefined;
        } catch (error) {
            if (isMissing(error) || error instanceof SyntaxError) {
                return undefined;
            }
            throw error;
        }
    }

    async #touchedMs(name: string): Promise<number | undefined> {
        try {
            return (await stat(join(this.#folder, name))).mtimeMs;
        } catch (error) {
            ignoreMissing(error);
            return undefined;
        }
    }

    async #prune(): Promise<void> {
        for (const name of await readdir(this.#folder)) {
            const touchedMs = await this.#touchedMs(name);
            if (touchedMs !== undefined && this.#now() - touchedMs > maxAgeMs) {
                await this.#remove(name);
            }
        }
    }

    async #remove(name: string): Promise<void> {
        await rm(join(this.#folder, name), { force: true });
    }

    #newName(exportKey: unknown): string {
        return `${hash(exportKey)}.${randomUUID()}.json`;
    }

    async #namesOf(exportKey: unknown): Promise<string[]> {
        return (await this.#names()).filter((name) => name.startsWith(`${hash(exportKey)}.`));
    }

    async #names(): Promise<string[]> {
        try {
            return (await readdir(this.#folder)).filter((name) => name.endsWith(".json"));
        } catch (error) {
            ignoreMissing(error);
            return [];
        }
    }
}

function hash(exportKey: unknown): string {
    return createHash("sha256").update(JSON.stringify(exportKey)).digest("hex").slice(0, 32);
}

function isAlive(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
}

function isMissing(error: unknown): boolean {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
}

function ignoreMissing(error: unknown): void {
    if (!isMissing(error)) {
        throw error;
    }
}
