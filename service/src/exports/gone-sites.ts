import { type ServiceDatabase } from "../database/database.js";
import { type BetweenBatches } from "../storage/batches.js";
import { type PageCaches } from "../storage/page-caches.js";
import { type Site } from "./site.js";
import { removalBatch, type SiteJobStore } from "./site-job-store.js";

const reason = "The site was removed from the service.";

interface GoneSitesOptions {
    database: ServiceDatabase;
    store: Pick<SiteJobStore, "cancel" | "domains">;
    /** The sites of the service, by canonical domain. */
    sites: ReadonlyMap<string, Site>;
    /** Undefined if no page cache is in a bucket. */
    caches: Pick<PageCaches, "forget"> | undefined;
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
     * sites that exist.
     *
     * @returns how many it removed
     */
    async removeUnused(
        { unusedBefore, linkedSince }: { unusedBefore: number; linkedSince: number },
        betweenBatches: BetweenBatches,
    ): Promise<number> {
        const { sites, store, caches } = this.#options;
        let removed = 0;
        for (const domain of await store.domains()) {
            if (!sites.has(domain)) {
                const ofSite = await this.#removeEnded(domain, { unusedBefore, linkedSince }, betweenBatches);
                if (ofSite > 0) {
                    await caches?.forget(domain);
                }
                removed += ofSite;
            }
        }
        return removed;
    }

    async #removeEnded(
        domain: string,
        limits = { unusedBefore: Number.MAX_SAFE_INTEGER, linkedSince: Number.MAX_SAFE_INTEGER },
        betweenBatches: BetweenBatches = () => Promise.resolve(),
    ): Promise<number> {
        const { database } = this.#options;
        for (let removed = 0; ; await betweenBatches()) {
            const count = await database.run(
                `DELETE FROM static_export_jobs WHERE sequence IN (
                    SELECT sequence FROM static_export_jobs
                    WHERE (domain = :domain OR preview_of = :domain) AND status IN ('completed', 'failed')
                    AND updated_at < :unusedBefore AND linked_at < :unusedBefore AND linked_at <= :linkedSince
                    LIMIT ${removalBatch}
                 )`,
                { domain, ...limits },
            );
            removed += count;
            if (count < removalBatch) {
                return removed;
            }
        }
    }
}
