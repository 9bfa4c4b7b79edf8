import { setImmediate } from "node:timers/promises";
import { siteStates } from "@pulumi-static-export/contract";
import { type Site } from "../exports/site.js";
import { reachesDomain } from "../keys/key-reach.js";
import { type JobSummary, shownStatusOf } from "../exports/site-job.js";
import { type DomainUsage, type JobHistory, type NumberedJob } from "./job-history.js";
import { domainsAtOnce, NewestJobs, type NewestOfDomain } from "./newest-jobs.js";

type SiteState = (typeof siteStates)[number];

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
const freshMs = 500;
const freshUsageMs = 60_000;
/** Until this age, usage is still shown while it is read again, which takes a second with many jobs. */
const usableUsageMs = 600_000;

/** What the sites do and did last. */
export class SiteOverview {
    readonly #newest: NewestJobs;
    readonly #read: () => Promise<ReadonlyMap<string, NewestOfDomain>>;
    /** Apart, because open browsers need it all the time, and it reads a few rows only. */
    readonly #readUnfinished: () => Promise<readonly NumberedJob[]>;
    readonly #history: JobHistory;
    readonly #readUsage: () => Promise<readonly DomainUsage[]>;

    /** @param elapsedMs - milliseconds since an arbitrary moment @default performance.now */
    constructor(history: JobHistory, elapsedMs: () => number = () => performance.now()) {
        this.#history = history;
        this.#newest = new NewestJobs(history, elapsedMs);
        this.#readUnfinished = shared(() => history.unfinished(), { freshMs, elapsedMs });
        this.#read = shared(async () => this.#newest.read(await this.#readUnfinished()), { freshMs, elapsedMs });
        const readUsage = async () => usageOf(history, [...(await this.#read()).keys()]);
        this.#readUsage = shared(readUsage, { freshMs: freshUsageMs, usableMs: usableUsageMs, elapsedMs });
    }

    /** The sites of `sites`, those that need attention first. */
    async list(sites: ReadonlyMap<string, Site>): Promise<SiteSummary[]> {
        const newest = await this.#read();
        const unfinished = await this.#readUnfinished();
        const unfinishedOf = new Map<string, JobSummary[]>();
        for (const job of unfinished) {
            const site = job.previewOf ?? job.domain;
            unfinishedOf.set(site, [...(unfinishedOf.get(site) ?? []), job]);
        }
        const summaries = [...sites].map(([domain, { source }]): SiteSummary => {
            const { export: lastExport, update: lastUpdate } = newest.get(domain) ?? {};
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
        return [...(await this.#read()).keys()].filter((domain) => reachesDomain(reach, domain));
    }

    /** The domains with a job that contain a text. */
    async domainsWith(text: string): Promise<readonly string[]> {
        return [...(await this.#read()).keys()].filter((domain) => domain.includes(text));
    }

    /** Whether there are jobs of a domain, as of the last second. */
    async hasJobsOf(domain: string): Promise<boolean> {
        return (await this.#read()).has(domain);
    }

    /** Forgets the jobs of a domain, which were removed. */
    forget(domain: string): void {
        this.#newest.forget(domain);
    }

    /** All jobs that wait or run. */
    unfinished(): Promise<readonly JobSummary[]> {
        return this.#readUnfinished();
    }

    /** The stored bundles by domain, as of the last minutes. */
    usage(): Promise<readonly DomainUsage[]> {
        return this.#readUsage();
    }

    /** The stored bundles of one domain; no entry if there are none. */
    usageOf(domain: string): Promise<readonly DomainUsage[]> {
        return this.#history.usageOf([domain]);
    }
}

/** Reads a few domains at a time, so that the embedded database answers other requests meanwhile. */
async function usageOf(history: JobHistory, domains: readonly string[]): Promise<DomainUsage[]> {
    const usage: DomainUsage[] = [];
    for (let place = 0; place < domains.length; place += domainsAtOnce) {
        usage.push(...(await history.usageOf(domains.slice(place, place + domainsAtOnce))));
        await setImmediate();
    }
    return usage;
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
    return isBehind ? "stale" : shownStatusOf(lastExport.status, lastExport.isCancelled);
}

function compare(one: string, other: string): number {
    return one < other ? -1 : one > other ? 1 : 0;
}

interface SharedOptions {
    freshMs: number;
    /** Until this age, callers get the earlier value while a new one is read. @default freshMs */
    usableMs?: number;
    elapsedMs: () => number;
}

/** Calls `read` at most once in `freshMs`, for all callers together. A failed call is not remembered. */
function shared<T>(read: () => Promise<T>, options: SharedOptions): () => Promise<T> {
    const { freshMs: forMs, usableMs = forMs, elapsedMs } = options;
    let current: { value: Promise<T>; readAtMs: number } | undefined;
    let next: Promise<T> | undefined;
    const readAgain = (): Promise<T> => {
        next ??= read().finally(() => (next = undefined));
        return next;
    };
    return () => {
        const ageMs = current === undefined ? Infinity : elapsedMs() - current.readAtMs;
        if (current === undefined || ageMs >= usableMs) {
            const reading = { value: readAgain(), readAtMs: elapsedMs() };
            current = reading;
            reading.value.catch(() => {
                if (current === reading) {
                    current = undefined;
                }
            });
        } else if (ageMs >= forMs) {
            const readAtMs = elapsedMs();
            readAgain().then(
                (value) => (current = { value: Promise.resolve(value), readAtMs }),
                () => undefined,
            );
        }
        return current.value;
    };
}
