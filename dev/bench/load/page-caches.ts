import { setTimeout as delay } from "node:timers/promises";
import { median } from "../median.js";
import { ClusteredService, domains } from "./clustered-service.js";

const rounds = 3;
/** The limit, as a share of the time without a cache: fetching a cache must save time. */
const maxShare = 0.9;

/**
 * Measures how long an export takes, as a client sees it: on a worker without a cache of the site's pages; after a
 * change to one page, on the same worker; and after another change, on a worker that has only the bucket's cache.
 */
export async function measurePageCaches(pages: number): Promise<boolean> {
    const service = await ClusteredService.start(pages);
    const took: Record<string, number[]> = {};
    const measure = async (what: string, domain: string): Promise<void> => {
        const before = await cacheOf(service, domain);
        const startedMs = performance.now();
        await service.clients.export(domain, "1");
        (took[what] ??= []).push(performance.now() - startedMs);
        // A worker stores its cache after the end of the job.
        while ((await cacheOf(service, domain)) === before) {
            await delay(50);
        }
        await service.changeOnePage();
    };
    try {
        for (const domain of domains.slice(0, rounds)) {
            await service.withWorker(async () => {
                await measure("no cache", domain);
                await measure("the same worker", domain);
            });
            await service.withWorker(() => measure("another worker", domain));
        }
    } finally {
        await service.stop();
    }
    const [none = NaN, , other = NaN] = Object.entries(took).map(([what, all]) => {
        const shown = all.map((ms) => (ms / 1000).toFixed(2)).join(", ");
        console.log(`${what}, ${pages} pages: ${(median(all) / 1000).toFixed(2)} s (${shown})`);
        return median(all);
    });
    console.log(
        `another worker takes ${(other / none).toFixed(2)} times as long as without a cache (limit ${maxShare})`,
    );
    return other < maxShare * none;
}

/** Returns the digests of the domain's current cache in the bucket. */
async function cacheOf(service: ClusteredService, domain: string): Promise<string> {
    const files = "SELECT sha256 FROM page_caches WHERE is_current = 1 AND domain = ";
    return JSON.stringify(await service.sql(`${files}'${domain}' ORDER BY sha256`));
}
