import { setImmediate } from "node:timers/promises";
import { isUnfinished } from "../exports/site-job.js";
import { type JobHistory, type NumberedJob } from "./job-history.js";

/** The last jobs of a domain, which have ended or not. */
export type NewestOfDomain = Partial<Record<NumberedJob["kind"], NumberedJob>>;

/** Statements about this many domains do not block the embedded database, or the requests behind it, for long. */
export const domainsAtOnce = 50;

/** More new jobs than this are found by a reading of all domains. */
const maxNewJobs = 1000;

/**
 * How old the reading of all domains may become before it is replaced. Jobs that were removed, or that a lagging
 * transaction stored late, are corrected then.
 */
const readAgainMs = 60_000;
/** After this time without a request, the next one waits for a new reading. */
const usableMs = 600_000;

type History = Pick<JobHistory, "newestAfter" | "startedAfter" | "unfinished" | "withSequences">;

interface Reading {
    domains: Map<string, NewestOfDomain>;
    readAtMs: number;
}

/**
 * The newest export and update of each domain, in memory. All domains are read once, a few at a time; from then on,
 * only the jobs that have changed.
 */
export class NewestJobs {
    readonly #history: History;
    readonly #elapsedMs: () => number;
    #reading: Reading | undefined;
    /** The reading of all domains that is in progress. */
    #next: Promise<void> | undefined;
    /** The changes since it began. */
    #changes: NumberedJob[] = [];

    constructor(history: History, elapsedMs: () => number) {
        this.#history = history;
        this.#elapsedMs = elapsedMs;
    }

    /** @param unfinished - all jobs that wait or run, read just now */
    async read(unfinished: readonly NumberedJob[]): Promise<ReadonlyMap<string, NewestOfDomain>> {
        const reading = this.#reading;
        const ageMs = reading === undefined ? Infinity : this.#elapsedMs() - reading.readAtMs;
        if (reading === undefined || ageMs >= usableMs) {
            await this.#readAll();
        } else if (!(await this.#readChanges(reading, unfinished))) {
            await this.#readAll();
        } else if (ageMs >= readAgainMs) {
            this.#readAll().catch(() => undefined);
        }
        return this.#reading?.domains ?? new Map();
    }

    /** Forgets the jobs of a domain and of its previews, which were removed. */
    forget(domain: string): void {
        this.#changes = this.#changes.filter((job) => !belongsTo(job, domain));
        for (const [name, jobs] of this.#reading?.domains ?? []) {
            if (Object.values(jobs).some((job) => belongsTo(job, domain))) {
                this.#reading?.domains.delete(name);
            }
        }
    }

    /** @returns false if there are too many changes */
    async #readChanges({ domains }: Reading, unfinished: readonly NumberedJob[]): Promise<boolean> {
        const known = [...domains.values()].flatMap((jobs) => Object.values(jobs));
        const newest = known.reduce((sequence, job) => Math.max(sequence, job.sequence), 0);
        const running = new Set(unfinished.map(({ sequence }) => sequence));
        const ended = known.filter((job) => isUnfinished(job) && !running.has(job.sequence));
        const [changed, started] = await Promise.all([
            this.#history.withSequences(ended.map(({ sequence }) => sequence)),
            this.#history.startedAfter(newest, maxNewJobs),
        ]);
        for (const job of [...unfinished, ...changed, ...started]) {
            record(domains, job);
            if (this.#next !== undefined) {
                this.#changes.push(job);
            }
        }
        return started.length < maxNewJobs;
    }

    #readAll(): Promise<void> {
        this.#next ??= this.#readAllNow().finally(() => {
            this.#next = undefined;
            this.#changes = [];
        });
        return this.#next;
    }

    async #readAllNow(): Promise<void> {
        const readAtMs = this.#elapsedMs();
        const domains = new Map<string, NewestOfDomain>();
        for (let after: string | undefined = ""; after !== undefined;) {
            const { jobs, last }: Awaited<ReturnType<History["newestAfter"]>> = await this.#history.newestAfter(
                after,
                domainsAtOnce,
            );
            jobs.forEach((job) => record(domains, job));
            after = last;
            await setImmediate();
        }
        this.#changes.forEach((job) => record(domains, job));
        this.#reading = { domains, readAtMs };
    }
}

function record(domains: Map<string, NewestOfDomain>, job: NumberedJob): void {
    const known = domains.get(job.domain);
    if ((known?.[job.kind]?.sequence ?? 0) <= job.sequence) {
        domains.set(job.domain, { ...known, [job.kind]: job });
    }
}

function belongsTo({ domain, previewOf }: NumberedJob, site: string): boolean {
    return domain === site || previewOf === site;
}
