import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir, hostname } from "node:os";
import { join } from "node:path";

/** Older entries say nothing useful: no job is resumed after that long. */
const maxAgeMs = 7 * 24 * 3600 * 1000;

interface JournalRecord {
    domain: string;
    /** Absent from the moment before the start request until its answer. */
    jobId?: string;
    startedAt: string;
    /** When the bundle was handed to Pulumi, which then saves it: from then on the entry is needed for moments only. */
    deliveredAt?: string;
    /** The process that started the job: while it lives, a start without an answer is under way and not interrupted. */
    starter: { host: string; pid: number };
}

/** One job that was started and is not known to stand in a stack's state, or a start without an answer. */
export interface JournalEntry extends Readonly<Omit<JournalRecord, "starter">> {
    /** Says that the bundle was handed to Pulumi. */
    saveDelivery(): Promise<void>;
    remove(): Promise<void>;
}

/** A start that is about to be made. */
export interface JournalStart {
    /** Saves the id of the job that was started. */
    saveJob(jobId: string): Promise<JournalEntry>;
    remove(): Promise<void>;
}

/**
 * The jobs in flight, one small file each, so that a run after a kill adopts the job instead of starting a second one.
 * Pulumi cannot help there: it saves nothing of a create that was killed.
 *
 * Entries are named after a hash of what is exported and hold a job id, a domain and a process id: no key, no link, no
 * trigger. Files are readable by their owner only, written whole or not at all, and pruned after seven days. Any
 * number of processes may use a folder at once: two that want the same export share its job.
 */
export class Journal {
    readonly #folder: string;
    readonly #now: () => number;
    readonly #self: JournalRecord["starter"];
    /** Starts of this very process: another one may have had its id before. */
    readonly #underWay = new Set<string>();
    #ready: Promise<void> | undefined;

    constructor(folder: string, options: { now?: () => number; pid?: number; host?: string } = {}) {
        this.#folder = folder;
        this.#now = options.now ?? Date.now;
        this.#self = { host: options.host ?? hostname(), pid: options.pid ?? process.pid };
    }

    /** Where the journal is, unless `STATIC_EXPORT_JOURNAL_DIR` says otherwise: in the user's XDG state folder. */
    static defaultFolder(env: NodeJS.ProcessEnv): string {
        return (
            env.STATIC_EXPORT_JOURNAL_DIR ??
            join(env.XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "pulumi-static-export", "jobs")
        );
    }

    /** The jobs that were started for the same export, the newest first, and then the starts that were interrupted. */
    async find(exportKey: unknown): Promise<JournalEntry[]> {
        const entries: JournalEntry[] = [];
        for (const name of await this.#names()) {
            const record = name.startsWith(`${hash(exportKey)}.`) ? await this.#read(name) : undefined;
            if (record && (record.jobId !== undefined || !this.#isUnderWay(name, record))) {
                entries.push(this.#entry(name, record));
            }
        }
        const isStart = ({ jobId }: JournalEntry) => Number(jobId === undefined);
        return entries.sort((a, b) => isStart(a) - isStart(b) || b.startedAt.localeCompare(a.startedAt));
    }

    /** Writes down that a job is about to be started. */
    async open(exportKey: unknown, domain: string): Promise<JournalStart> {
        // Once a process: with hundreds of exports at once it would be quadratic.
        await (this.#ready ??= this.#prepare());
        const name = `${hash(exportKey)}.${randomUUID()}.json`;
        const record = { domain, startedAt: new Date(this.#now()).toISOString(), starter: this.#self };
        this.#underWay.add(name);
        await this.#write(name, record);
        return {
            saveJob: async (jobId) => {
                const saved = { ...record, jobId };
                const savedName = `${hash(exportKey)}.${hash(jobId)}.json`;
                await this.#write(savedName, saved);
                await this.#remove(name);
                return this.#entry(savedName, saved);
            },
            remove: () => this.#remove(name),
        };
    }

    /** Drops the entries of a job whose outcome stands in the stack's state. */
    async forget(jobId: string): Promise<void> {
        for (const name of await this.#names()) {
            if (name.endsWith(`.${hash(jobId)}.json`)) {
                await this.#remove(name);
            }
        }
    }

    #entry(name: string, record: JournalRecord): JournalEntry {
        const { starter, ...shown } = record;
        return {
            ...shown,
            saveDelivery: async () => {
                const saved = await this.#read(name);
                if (saved) {
                    await this.#write(name, { ...saved, deliveredAt: new Date(this.#now()).toISOString() });
                }
            },
            remove: () => this.#remove(name),
        };
    }

    async #write(name: string, record: JournalRecord): Promise<void> {
        const draft = join(this.#folder, `${name}.${randomUUID()}.draft`);
        await writeFile(draft, JSON.stringify(record), { mode: 0o600, flush: true });
        await rename(draft, join(this.#folder, name));
    }

    /** Undefined for an entry that is gone or damaged: a damaged one is no reason to fail an update. */
    async #read(name: string): Promise<JournalRecord | undefined> {
        try {
            const record = JSON.parse(await readFile(join(this.#folder, name), "utf8")) as Partial<JournalRecord> | null;
            return record?.starter && record.domain && record.startedAt ? (record as JournalRecord) : undefined;
        } catch (error) {
            if (isMissing(error) || error instanceof SyntaxError) {
                return undefined;
            }
            throw error;
        }
    }

    #isUnderWay(name: string, { starter }: JournalRecord): boolean {
        const { host, pid } = this.#self;
        return this.#underWay.has(name) || (starter.host === host && starter.pid !== pid && isAlive(starter.pid));
    }

    async #prepare(): Promise<void> {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        for (const name of await readdir(this.#folder)) {
            const record = await this.#read(name);
            if (record && this.#now() - Date.parse(record.startedAt) > maxAgeMs) {
                await this.#remove(name);
            }
        }
    }

    async #remove(name: string): Promise<void> {
        await rm(join(this.#folder, name), { force: true });
    }

    /** Nothing where the folder is missing, or may not be read: such a journal has nothing to tell. */
    async #names(): Promise<string[]> {
        const names = await readdir(this.#folder).catch((): string[] => []);
        return names.filter((name) => name.endsWith(".json"));
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
