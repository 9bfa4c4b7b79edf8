import { createHash, randomUUID } from "node:crypto";
import type { JournalJob, JournalStart, JobEntry, StartClaim } from "./entries.js";
import { Heartbeats } from "./heartbeats.js";
import { JournalFiles } from "./journal-files.js";
import { localProcesses, type Owner, type ProcessTable } from "./owner.js";
import { type JobRecord, parseJobRecord, parseOwner, parseStartRecord, type StartRecord } from "./records.js";

/** How long the outcome of a start is stored for other runs that wait for it. */
const answeredStartMs = 10 * 60 * 1000;

interface JournalOptions {
    /** Called at most once each for a journal and a record that cannot be used. Exports continue without them. */
    report: (problem: string) => void;
    now?: () => number;
    /** Milliseconds of a monotonic clock. */
    elapsedMs?: () => number;
    processes?: ProcessTable;
}

/**
 * Records jobs in flight, so that the run after a killed run adopts its job instead of starting a second job, and
 * concurrent runs share a job. Pulumi itself saves nothing about a create that was killed. A run is one `pulumi up`,
 * which may have several processes, and an operation is one create or update of a resource.
 *
 * The folder contains small files whose names begin with a hash of the purpose of the job (its key):
 * - `<key>.start.<n>.json`: the n-th start for this key. Only the run that created the file may send the request;
 * - `<key>.<job>.<id>.json`: one operation that waits for the job, or has just passed its result to Pulumi;
 * - `<address>.serves.<id>.json`: the process has made or found the copy at this address, which its run uses;
 * - `alive.<id>.json`: the heartbeat of a process.
 *
 * The files contain job ids, subjects, idempotency keys and process ids, but no API key, link or inputs. If the folder
 * cannot be written, operations of one process still share their jobs, but the run after a killed run starts a second
 * job.
 */
export class Journal {
    readonly #files: JournalFiles;
    readonly #report: (problem: string) => void;
    readonly #heartbeats: Heartbeats;
    readonly #now: () => number;
    readonly #self: Owner;
    /** The files about copies that the run of this process serves. */
    readonly #served = new Set<string>();
    #hasReportedDamage = false;

    /** @param folder - undefined if there is none, for example for a user without a home folder */
    constructor(folder: string | undefined, options: JournalOptions) {
        const { report, now = Date.now, elapsedMs = () => performance.now() } = options;
        const processes = options.processes ?? localProcesses();
        this.#now = now;
        this.#report = report;
        this.#self = { ...processes.self, id: randomUUID() };
        this.#files = new JournalFiles(folder, { report, now, isDone: isAnsweredStart });
        this.#heartbeats = new Heartbeats(this.#files, this.#self, { processes, elapsedMs, now });
    }

    /**
     * Updates the heartbeat, which shows other hosts that this process is running. Call this method every few seconds.
     */
    beat(): Promise<void> {
        return this.#heartbeats.beat();
    }

    /** Removes the heartbeat of this process, which is about to exit. */
    close(): void {
        this.#served.forEach((name) => this.#files.removeNow(name));
        this.#heartbeats.endNow();
    }

    /** Records that the run of this process serves the copy at an address, because a run may have several processes. */
    async serve(address: string): Promise<void> {
        const name = servesName(address, this.#self.id);
        this.#served.add(name);
        await this.#heartbeats.begin();
        await this.#files.write(name, { address, owner: this.#self });
    }

    /** Whether another process that is still running serves the copy at an address. */
    async isServedElsewhere(address: string): Promise<boolean> {
        const names = await this.#files.list(servesName(address));
        for (const name of names.filter((each) => each !== servesName(address, this.#self.id))) {
            const owner = parseOwner(await this.#files.read(name));
            if (owner !== undefined && (await this.#heartbeats.isRunning(owner))) {
                return true;
            }
            await this.#files.remove(name);
        }
        return false;
    }

    /** Returns the jobs that operations with this key wait for, latest start first. */
    async jobs(key: unknown): Promise<JournalJob[]> {
        const jobs: JournalJob[] = [];
        for (const name of await this.#files.list(`${hash(key)}.`)) {
            const record = isStart(name) ? undefined : await this.#readRecord(name, parseJobRecord);
            if (record) {
                jobs.push(await this.#job(key, name, record));
            }
        }
        return jobs.sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
    }

    /** Returns the last start for this key; undefined if none is known. */
    async lastStart(key: unknown): Promise<JournalStart | undefined> {
        const number = (await this.#startNumbers(key)).at(-1);
        return number === undefined ? undefined : this.#start(key, number);
    }

    /**
     * Claims the right to make the start that follows `last`. Returns undefined if another operation was faster, so
     * that a newer start exists.
     *
     * @param subject - the subject of the job, for people who look into the folder
     * @param repeated - the start whose request is repeated: `last`, if its outcome is unknown
     */
    async claim(
        key: unknown,
        subject: string,
        last: JournalStart | undefined,
        repeated?: JournalStart,
    ): Promise<StartClaim | undefined> {
        await this.#heartbeats.begin();
        const number = (last?.number ?? 0) + 1;
        const record: StartRecord = {
            subject,
            startedAt: repeated?.startedAt ?? this.#time(),
            owner: this.#self,
            idempotencyKey: repeated?.idempotencyKey ?? randomUUID(),
            // The first request was sent: its outcome is unknown until the repeated request gets a response.
            ...(repeated === undefined ? {} : { isSent: true }),
        };
        if (!(await this.#files.create(startName(key, number), record))) {
            return undefined;
        }
        const numbers = await this.#startNumbers(key);
        if (numbers.at(-1) !== number) {
            // `last` is outdated, because other starts followed it.
            await this.#files.remove(startName(key, number));
            return undefined;
        }
        for (const earlier of numbers.slice(0, -1)) {
            await this.#files.remove(startName(key, earlier));
        }
        return this.#startClaim(key, number, record);
    }

    /**
     * Removes the entries of a job whose outcome is saved in the stack's state, except those of other active
     * operations.
     */
    async forget(jobId: string): Promise<void> {
        const names = await this.#files.list("");
        await this.#forget(names.filter((name) => name.includes(`.${hash(jobId)}.`)));
    }

    /** Removes the entries of all jobs whose ids are outdated, except those of other active operations. */
    async forgetOutdated(isOutdated: (jobId: string) => boolean): Promise<void> {
        const names = await this.#files.list("");
        await this.#forget(
            names.filter((name) => !isStart(name)),
            (record) => record !== undefined && isOutdated(record.jobId),
        );
    }

    async #forget(
        names: readonly string[],
        isMeant: (record: JobRecord | undefined) => boolean = () => true,
    ): Promise<void> {
        for (const name of names) {
            const record = parseJobRecord(await this.#files.read(name));
            const isOther = record !== undefined && record.owner.id !== this.#self.id;
            if (isMeant(record) && (!isOther || !(await this.#heartbeats.isRunning(record.owner)))) {
                await this.#files.remove(name);
            }
        }
    }

    async #job(key: unknown, name: string, record: JobRecord): Promise<JournalJob> {
        const { jobId, startedAt, deliveredAt, owner } = record;
        return {
            jobId,
            startedAt,
            ...(deliveredAt === undefined ? {} : { deliveredAt }),
            isRunning: await this.#heartbeats.isRunning(owner),
            share: async () => {
                const inherit = async () => {
                    if (!(await this.#heartbeats.isRunning(owner))) {
                        await this.#files.remove(name);
                    }
                };
                const shared = await this.#enter(key, record, inherit);
                await inherit();
                return shared;
            },
            remove: () => this.#files.remove(name),
        };
    }

    async #start(key: unknown, number: number): Promise<JournalStart> {
        const name = startName(key, number);
        const { record, isUnderWay } = await this.#readStart(name);
        const { startedAt, idempotencyKey, isSent, outcome, jobId } = record ?? {};
        return {
            number,
            ...(startedAt === undefined ? {} : { startedAt }),
            isUnderWay,
            isOpen: outcome === "unanswered" || (isSent === true && outcome === undefined && !isUnderWay),
            ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
            ...(record === undefined || jobId === undefined
                ? {}
                : { job: { jobId, share: () => this.#enter(key, { ...record, jobId }) } }),
            settle: async () => {
                if (record !== undefined) {
                    await this.#files.write(name, { ...record, outcome: "settled" } satisfies StartRecord);
                }
            },
        };
    }

    async #readStart(name: string): Promise<{ record: StartRecord | undefined; isUnderWay: boolean }> {
        const record = await this.#readRecord(name, parseStartRecord);
        if (record === undefined || record.outcome !== undefined) {
            return { record, isUnderWay: false };
        }
        if (await this.#heartbeats.isRunning(record.owner)) {
            return { record, isUnderWay: true };
        }
        // Reads the start again, because its process may have sent the request and ended since the first read.
        const left = parseStartRecord(await this.#files.read(name));
        // If the response arrived after the first read, the start counts as in progress, so that a waiting operation
        // reads again.
        return { record: left, isUnderWay: left?.outcome !== undefined };
    }

    async #readRecord<T>(name: string, parse: (content: unknown) => T | undefined): Promise<T | undefined> {
        const content = await this.#files.read(name);
        const record = parse(content);
        // Another operation may have removed a missing file.
        if (record === undefined && content !== undefined && !this.#hasReportedDamage) {
            this.#hasReportedDamage = true;
            this.#report(`the journal's file ${name} is damaged, so the job that it records may be started once more`);
        }
        return record;
    }

    #startClaim(key: unknown, number: number, claimed: StartRecord): StartClaim {
        const name = startName(key, number);
        const { idempotencyKey = "" } = claimed;
        let record = claimed;
        const save = (change: Partial<StartRecord>) => {
            record = { ...record, ...change };
            return this.#files.write(name, record);
        };
        return {
            idempotencyKey,
            isRepetition: claimed.isSent === true,
            begin: async (sentKey = idempotencyKey) => {
                const isHeld = (await this.#startNumbers(key)).at(-1) === number;
                if (isHeld) {
                    const isRepeated = claimed.isSent === true && sentKey === idempotencyKey;
                    const startedAt = isRepeated ? claimed.startedAt : this.#time();
                    await save({ isSent: true, startedAt, idempotencyKey: sentKey });
                }
                return isHeld;
            },
            saveJob: async (jobId) => {
                const entry = await this.#enter(key, { ...record, jobId });
                await save({ jobId, outcome: "started" });
                return entry;
            },
            saveUnanswered: () => save({ outcome: "unanswered" }),
            release: () => save({ outcome: claimed.isSent ? "unanswered" : "refused" }),
        };
    }

    /** Creates an entry of this process for a known job. */
    async #enter(
        key: unknown,
        { subject, jobId, startedAt }: Omit<JobRecord, "owner">,
        inherit: () => Promise<void> = () => Promise.resolve(),
    ): Promise<JobEntry> {
        await this.#heartbeats.begin();
        const name = `${hash(key)}.${hash(jobId)}.${randomUUID()}.json`;
        const record: JobRecord = { subject, jobId, startedAt, owner: this.#self };
        await this.#files.write(name, record);
        return {
            saveDelivery: async () => {
                // By now, it is known whether a process on another host has ended.
                await inherit();
                if ((await this.#files.read(name)) !== undefined) {
                    await this.#files.write(name, { ...record, deliveredAt: this.#time() });
                }
            },
            remove: () => this.#files.remove(name),
            removeNow: () => this.#files.removeNow(name),
        };
    }

    /** In ascending order. */
    async #startNumbers(key: unknown): Promise<number[]> {
        const prefix = `${hash(key)}.start.`;
        const names = await this.#files.list(prefix);
        const numbers = names.map((name) => Number(name.slice(prefix.length, -".json".length)));
        return numbers.filter(Number.isSafeInteger).sort((a, b) => a - b);
    }

    #time(): string {
        return new Date(this.#now()).toISOString();
    }
}

function isAnsweredStart(name: string, content: unknown, ageMs: number): boolean {
    const { outcome = "unanswered" } = parseStartRecord(content) ?? {};
    return isStart(name) && ageMs > answeredStartMs && outcome !== "unanswered";
}

function isStart(name: string): boolean {
    return name.split(".", 2)[1] === "start";
}

function startName(key: unknown, number: number): string {
    return `${hash(key)}.start.${number}.json`;
}

/** Without an id, returns the prefix that the names for all processes share. */
function servesName(address: string, id?: string): string {
    return `${hash(address)}.serves.${id === undefined ? "" : `${id}.json`}`;
}

function hash(value: unknown): string {
    return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}
