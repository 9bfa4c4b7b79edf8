import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** Older entries say nothing useful: no job is resumed after that long. */
const maxAgeMs = 7 * 24 * 3600 * 1000;
/** No start takes longer, with all its attempts and pauses: whoever has the id of its process by then is another one. */
const longestStartMs = 15 * 60 * 1000;

interface JournalRecord {
    domain: string;
    /** Absent from the moment before the start request until its answer. */
    jobId?: string;
    startedAt: string;
    /** When the bundle was handed to Pulumi, which then saves it: from then on the entry is needed for moments only. */
    deliveredAt?: string;
    /** A start that ended without telling whether there is a job. */
    isUnanswered?: true;
    /** The process that wrote the entry: while it lives, nobody else takes the entry away. */
    owner: { host: string; pid: number };
}

/** One job that was started and is not known to stand in a stack's state, or a start without an answer. */
export interface JournalEntry extends Readonly<Pick<JournalRecord, "jobId" | "startedAt" | "deliveredAt">> {
    /** Whether another run still waits for the answer to this start. */
    readonly isUnderWay: boolean;
    /** This run's own entry for the same job: another stack that shares the job keeps the one it has. */
    take(): Promise<JournalEntry>;
    /** Says that the bundle was handed to Pulumi. */
    saveDelivery(): Promise<void>;
    remove(): Promise<void>;
}

/** A start that is about to be made. */
export interface JournalStart {
    /** Saves the id of the job that was started. */
    saveJob(jobId: string): Promise<JournalEntry>;
    /** Says that nobody will ever know whether a job was started. */
    saveUnanswered(): Promise<void>;
    remove(): Promise<void>;
}

export interface JournalOptions {
    /** Told once when the journal cannot be written: exports go on without it. */
    report: (problem: string) => void;
    now?: () => number;
    pid?: number;
    host?: string;
}

/**
 * The jobs in flight, one small file each, so that a run after a kill adopts the job instead of starting a second one.
 * Pulumi cannot help there: it saves nothing of a create that was killed.
 *
 * Entries are named after a hash of what is exported and hold a job id, a domain and a process id: no key, no link, no
 * trigger. Files are readable by their owner only, written whole or not at all, and pruned after seven days. Any
 * number of processes may use a folder at once: two that want the same export share its job, each with an entry of its
 * own. Nothing here fails an export: where the journal cannot be read or written, a kill costs one job more.
 */
export class Journal {
    readonly #folder: string | undefined;
    readonly #report: (problem: string) => void;
    readonly #now: () => number;
    readonly #self: JournalRecord["owner"];
    /** Entries of this very process: another one may have had its id before. */
    readonly #own = new Set<string>();
    #ready: Promise<void> | undefined;
    #hasReported = false;

    /** @param folder - undefined where there is none, as for a user without a home */
    constructor(folder: string | undefined, { report, now, pid, host }: JournalOptions) {
        this.#folder = folder;
        this.#report = report;
        this.#now = now ?? Date.now;
        this.#self = { host: host ?? hostname(), pid: pid ?? process.pid };
    }

    /** The jobs that were started for the same export, the newest first, and then the starts without an answer. */
    async find(exportKey: unknown): Promise<JournalEntry[]> {
        const entries: JournalEntry[] = [];
        for (const name of await this.#names()) {
            const record = name.startsWith(`${hash(exportKey)}.`) ? await this.#read(name) : undefined;
            if (record) {
                entries.push(this.#entry(name, record));
            }
        }
        const isStart = ({ jobId }: JournalEntry) => Number(jobId === undefined);
        return entries.sort((a, b) => isStart(a) - isStart(b) || b.startedAt.localeCompare(a.startedAt));
    }

    /** Writes down that a job is about to be started. */
    async open(exportKey: unknown, domain: string): Promise<JournalStart> {
        const name = `${hash(exportKey)}.start.${randomUUID()}.json`;
        const record: JournalRecord = { domain, startedAt: new Date(this.#now()).toISOString(), owner: this.#self };
        await this.#write(name, record);
        return {
            saveJob: async (jobId) => {
                const entry = await this.#save(hash(exportKey), { ...record, jobId });
                await this.#remove(name);
                return entry;
            },
            saveUnanswered: () => this.#write(name, { ...record, isUnanswered: true }),
            remove: () => this.#remove(name),
        };
    }

    /** Drops the entries of a job whose outcome stands in the stack's state, but for those of other runs that go on. */
    async forget(jobId: string): Promise<void> {
        for (const name of await this.#names()) {
            if (name.includes(`.${hash(jobId)}.`)) {
                const record = await this.#read(name);
                if (!record || this.#own.has(name) || !this.#isOwnerAlive(name, record)) {
                    await this.#remove(name);
                }
            }
        }
    }

    #entry(name: string, record: JournalRecord): JournalEntry {
        const { owner, isUnanswered, ...shown } = record;
        return {
            ...shown,
            isUnderWay: shown.jobId === undefined && !isUnanswered && this.#isStarting(name, record),
            take: async () => {
                const { deliveredAt, ...undelivered } = shown;
                const taken = await this.#save(name.split(".", 1)[0]!, { ...undelivered, owner: this.#self });
                if (!this.#isOwnerAlive(name, record)) {
                    await this.#remove(name);
                }
                return taken;
            },
            saveDelivery: async () => {
                const saved = await this.#read(name);
                if (saved) {
                    await this.#write(name, { ...saved, deliveredAt: new Date(this.#now()).toISOString() });
                }
            },
            remove: () => this.#remove(name),
        };
    }

    /** A new entry of this process, for a job that is known. */
    async #save(exportHash: string, record: JournalRecord): Promise<JournalEntry> {
        const name = `${exportHash}.${hash(record.jobId)}.${randomUUID()}.json`;
        await this.#write(name, record);
        return this.#entry(name, record);
    }

    #isStarting(name: string, record: JournalRecord): boolean {
        return this.#isOwnerAlive(name, record) && this.#now() - Date.parse(record.startedAt) < longestStartMs;
    }

    #isOwnerAlive(name: string, { owner }: JournalRecord): boolean {
        const { host, pid } = this.#self;
        return this.#own.has(name) || (owner.host === host && owner.pid !== pid && isAlive(owner.pid));
    }

    async #write(name: string, record: JournalRecord): Promise<void> {
        this.#own.add(name);
        await this.#try(async (folder) => {
            // Once a process: with hundreds of exports at once it would be quadratic.
            await (this.#ready ??= this.#prepare(folder));
            const draft = join(folder, `${name}.${randomUUID()}.draft`);
            await writeFile(draft, JSON.stringify(record), { mode: 0o600, flush: true });
            await rename(draft, join(folder, name));
        });
    }

    #remove(name: string): Promise<void> {
        return this.#try((folder) => rm(join(folder, name), { force: true }));
    }

    async #try(write: (folder: string) => Promise<void>): Promise<void> {
        try {
            if (this.#folder === undefined) {
                throw new Error("there is no home folder to keep it in");
            }
            await write(this.#folder);
        } catch (error) {
            if (!this.#hasReported) {
                this.#hasReported = true;
                this.#report(
                    `the journal cannot be written, so a kill of this run would lose its jobs: ${(error as Error).message}. ` +
                        "Set STATIC_EXPORT_JOURNAL_DIR to a folder that can be written.",
                );
            }
        }
    }

    /** Undefined for an entry that is gone, damaged or somebody else's: none of it is a reason to fail an update. */
    async #read(name: string): Promise<JournalRecord | undefined> {
        try {
            const text = await readFile(join(this.#folder ?? "", name), "utf8");
            const record = JSON.parse(text) as Partial<JournalRecord> | null;
            return record?.owner && record.domain && record.startedAt ? (record as JournalRecord) : undefined;
        } catch {
            return undefined;
        }
    }

    async #prepare(folder: string): Promise<void> {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // By the file's own time, because a damaged entry and the draft of a killed process tell none.
        for (const name of (await readdir(folder)).filter((file) => /\.(json|draft)$/.test(file))) {
            const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }));
            if (this.#now() - mtimeMs > maxAgeMs) {
                await this.#remove(name);
            }
        }
    }

    /** Nothing where the folder is missing, or may not be read: such a journal has nothing to tell. */
    async #names(): Promise<string[]> {
        const names = this.#folder === undefined ? [] : await readdir(this.#folder).catch((): string[] => []);
        return names.filter((name) => name.endsWith(".json"));
    }
}

function hash(value: unknown): string {
    return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}

function isAlive(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
}
