import type { SiteTarget } from "../targets/site-target.js";
import type { Inventory } from "../records/inventory.js";
import { readInventories } from "./site-records.js";
import type { Release, SiteRecord } from "../records/site-record.js";

/** The earlier releases that stay, newest first, and the contents that only they need. */
export async function findEarlierReleases(
    target: SiteTarget,
    record: SiteRecord | undefined,
    before: Inventory,
    { release, files }: { release: Release; files: Inventory },
    { keep, log, signal }: { keep: number; log: (line: string) => void; signal: AbortSignal },
): Promise<{ earlier: Release[]; contents: Map<string, number> }> {
    const contents = new Map<string, number>();
    const earlier: Release[] = [];
    const all = [...(record?.live === undefined ? [] : [record.live]), ...(record?.earlier ?? [])];
    const candidates = all.filter(({ sha256 }) => sha256 !== release.sha256).slice(0, keep);
    if (candidates.length === 0) {
        return { earlier, contents };
    }
    const live = new Set([...files.values()].map(({ digest }) => digest));
    const there = new Set([...before.values()].map(({ digest }) => digest));
    for (const candidate of candidates) {
        const needed = await readInventories(target, [candidate.files], signal);
        const missing = [...(needed?.values() ?? [])].filter(({ digest }) => !live.has(digest));
        if (needed === undefined || missing.some(({ digest }) => !there.has(digest))) {
            log(
                `${target.address}: not all files of ${candidate.jobId ?? candidate.sha256} are left, so it is not kept`,
            );
            continue;
        }
        earlier.push(candidate);
        missing.forEach(({ digest, sizeBytes }) => contents.set(digest!, sizeBytes));
    }
    return { earlier, contents };
}
