import { type ServiceDatabase } from "../database/database.js";
import { removal, siteJobs } from "../jobs/transitions.js";
import { type BetweenBatches } from "../storage/batches.js";
import { type PageCaches } from "../storage/page-caches.js";
import { type Site } from "./site.js";
import { removalBatch, type SiteJobStore } from "./site-job-store.js";

const reason = "The site was removed from the service.";

const isUnused = "updated_at < :unusedBefore AND linked_at < :unusedBefore AND linked_at <= :linkedSince";

interface GoneSitesOptions {
    database: ServiceDatabase;
    store: Pick<SiteJobStore, "cancel" | "domains">;
    /** The sites of the service, by canonical domain. */
    sites: ReadonlyMap<string, Site>;
    /** Undefined if no page cache is in a bucket. */
    caches: Pick<PageCaches, "forget"> | undefined;
    clock: () => number;
}

/** What is left of sites that the service no longer has. */
export class GoneSites {
    readonly #options: GoneSitesOptions;

    constructor(options: GoneSitesOptions) {
        this.#options = options;
    }

    /**
     * Removes all jobs of a site and of its previews, and cancels those that have not ended. A round of the retention
     * then removes the bundles that no other job needs.
     *
     * @returns how many jobs it removed, and the ids of running jobs, which their workers stop within seconds
     */
    async purge(domain: string): Promise<{ removed: number; running: string[] }> {
        const { database, store, caches } = this.#options;
        const unfinished = await database.all<{ job_id: string }>(
            `SELECT job_id FROM static_export_jobs
             WHERE status IN ('queued', 'running') AND (domain = :domain OR preview_of = :domain)`,
            { domain },
        );
        const running: string[] = [];
        for (const { job_id: jobId } of unfinished) {
            const job = await store.cancel(jobId, reason);
            if (job?.status === "running") {
                running.push(jobId);
            }
        }
        await caches?.forget(domain);
        return { removed: await this.#removeEnded(domain), running };
    }

    /**
     * Removes jobs that nothing has used since `unusedBefore`, also the newest of a site, which the retention keeps for
     * sites that exist. A site that rounds have missed for less time keeps its jobs: a line of the sites file may be
     * wrong, or a worker may have an older file.
     *
     * @returns how many it removed
     */
    async removeUnused(
        { unusedBefore, linkedSince }: { unusedBefore: number; linkedSince: number },
        betweenBatches: BetweenBatches,
    ): Promise<number> {
        const { caches } = this.#options;
        let removed = 0;
        for (const domain of await this.#goneBefore(unusedBefore)) {
            const ofSite = await this.#removeEnded(domain, { unusedBefore, linkedSince }, betweenBatches);
            if (ofSite > 0) {
                await caches?.forget(domain);
            }
            removed += ofSite;
        }
        return removed;
    }

    /** Records which sites are gone. @returns those that have been gone since before this time */
    async #goneBefore(time: number): Promise<string[]> {
        const { database, sites, store, clock } = this.#options;
        const now = clock();
        const gone = new Set((await store.domains()).filter((domain) => !sites.has(domain)));
        const known = await database.all<{ domain: string; gone_since: number }>("SELECT * FROM gone_sites");
        const since = new Map(known.map((row) => [row.domain, row.gone_since]));
        for (const { domain } of known.filter((row) => !gone.has(row.domain))) {
            await database.run("DELETE FROM gone_sites WHERE domain = :domain", { domain });
        }
        // A time in the future comes from a clock that has been set back.
        for (const domain of [...gone].filter((each) => (since.get(each) ?? Infinity) > now)) {
            await database.run(
                `INSERT INTO gone_sites (domain, gone_since) VALUES (:domain, :now)
                 ON CONFLICT (domain) DO UPDATE SET gone_since = excluded.gone_since`,
                { domain, now },
            );
        }
        return [...gone].filter((domain) => (since.get(domain) ?? now) < time);
    }

    async #removeEnded(
        domain: string,
        limits = { unusedBefore: Number.MAX_SAFE_INTEGER, linkedSince: Number.MAX_SAFE_INTEGER },
        betweenBatches: BetweenBatches = () => Promise.resolve(),
    ): Promise<number> {
        const { database } = this.#options;
        for (let removed = 0; ; await betweenBatches()) {
            const count = await database.run(
                removal(
                    siteJobs,
                    `${isUnused} AND sequence IN (
                        SELECT sequence FROM static_export_jobs
                        WHERE (domain = :domain OR preview_of = :domain) AND status IN ('completed', 'failed')
                        AND ${isUnused} LIMIT ${removalBatch}
                    )`,
                ),
                { domain, ...limits },
            );
            removed += count;
            if (count < removalBatch) {
                return removed;
            }
        }
    }
}
