import { type Site } from "../exports/site.js";
import { reachesDomain } from "../keys/key-reach.js";
import { type JobHistory, type JobSummary } from "./job-history.js";

export const siteStates = ["failed", "stale", "never", "running", "queued", "completed"] as const;
/**
 * `stale`: the last export is older than the published commit. `never`: there is no export yet, or all were removed.
 */
export type SiteState = (typeof siteStates)[number];

export interface SiteSummary {
    domain: string;
    source: Site["source"];
    state: SiteState;
    lastExport: JobSummary | undefined;
    lastUpdate: JobSummary | undefined;
    /** The exports and updates of the site and of its previews that wait or run. */
    unfinished: JobSummary[];
}

/** How long one reading of the database serves all requests, so that open browsers cost the database nothing. */
const freshMs = 1000;
const freshUsageMs = 60_000;

interface Reading {
    exports: ReadonlyMap<string, JobSummary>;
    updates: ReadonlyMap<string, JobSummary>;
}

/** What the sites do and did last. */
export class SiteOverview {
    readonly #history: JobHistory;
    readonly #read: () => Promise<Reading>;
    /** Apart, because open browsers need it all the time, and it reads a few rows only. */
    readonly #readUnfinished: () => Promise<readonly JobSummary[]>;
    readonly #readUsage: () => ReturnType<JobHistory["usage"]>;

    /** @param elapsedMs - milliseconds since an arbitrary moment @default performance.now */
    constructor(history: JobHistory, elapsedMs: () => number = () => performance.now()) {
        this.#history = history;
        this.#read = shared(() => this.#readNow(), freshMs, elapsedMs);
        this.#readUnfinished = shared(() => history.unfinished(), freshMs, elapsedMs);
        this.#readUsage = shared(() => history.usage(), freshUsageMs, elapsedMs);
    }

    /** The sites of `sites`, those that need attention first. */
    async list(sites: ReadonlyMap<string, Site>): Promise<SiteSummary[]> {
        const [{ exports, updates }, unfinished] = await Promise.all([this.#read(), this.#readUnfinished()]);
        const unfinishedOf = new Map<string, JobSummary[]>();
        for (const job of unfinished) {
            const site = job.previewOf ?? job.domain;
            unfinishedOf.set(site, [...(unfinishedOf.get(site) ?? []), job]);
        }
        const summaries = [...sites].map(([domain, { source }]): SiteSummary => {
            const lastExport = exports.get(domain);
            const lastUpdate = updates.get(domain);
            return {
                domain,
                source,
                state: stateOf(lastExport, lastUpdate),
                lastExport,
                lastUpdate,
                unfinished: unfinishedOf.get(domain) ?? [],
            };
        });
        const place = ({ state }: SiteSummary): number => siteStates.indexOf(state);
        return summaries.sort((one, other) => place(one) - place(other) || compare(one.domain, other.domain));
    }

    /** The domains with a job that a key with `reach` may see; null for all. */
    async domainsOf(reach: readonly string[] | null): Promise<readonly string[] | null> {
        if (reach?.some((each) => each.startsWith("*.")) !== true) {
            return reach;
        }
        const { exports, updates } = await this.#read();
        return [...new Set([...exports.keys(), ...updates.keys()])].filter((domain) => reachesDomain(reach, domain));
    }

    /** Whether there are jobs of a domain, as of the last second. */
    async hasJobsOf(domain: string): Promise<boolean> {
        const { exports, updates } = await this.#read();
        return exports.has(domain) || updates.has(domain);
    }

    /** All jobs that wait or run. */
    unfinished(): Promise<readonly JobSummary[]> {
        return this.#readUnfinished();
    }

    /** The stored bundles by domain, as of the last minute. */
    usage(): ReturnType<JobHistory["usage"]> {
        return this.#readUsage();
    }

    async #readNow(): Promise<Reading> {
        const [exports, updates] = await Promise.all([
            this.#history.newestOfEachDomain("export"),
            this.#history.newestOfEachDomain("update"),
        ]);
        const byDomain = (jobs: JobSummary[]) => new Map(jobs.map((job) => [job.domain, job]));
        return { exports: byDomain(exports), updates: byDomain(updates) };
    }
}

function stateOf(lastExport: JobSummary | undefined, lastUpdate: JobSummary | undefined): SiteState {
    if (lastExport === undefined) {
        return "never";
    }
    const isBehind =
        lastExport.status === "completed" &&
        lastUpdate?.status === "completed" &&
        lastUpdate.sourceRef !== null &&
        lastUpdate.sourceRef !== lastExport.sourceRef;
    return isBehind ? "stale" : lastExport.status;
}

function compare(one: string, other: string): number {
    return one < other ? -1 : one > other ? 1 : 0;
}

/** Calls `read` at most once in `freshMs`, for all callers together. A failed call is not remembered. */
function shared<T>(read: () => Promise<T>, forMs: number, elapsedMs: () => number): () => Promise<T> {
    let current: { value: Promise<T>; untilMs: number } | undefined;
    return () => {
        if (current === undefined || elapsedMs() >= current.untilMs) {
            const value = read();
            const reading = { value, untilMs: elapsedMs() + forMs };
            current = reading;
            value.catch(() => {
                if (current === reading) {
                    current = undefined;
                }
            });
        }
        return current.value;
    };
}
