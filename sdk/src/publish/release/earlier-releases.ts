import type { SiteReader } from "../targets/site-target.js";
import { Inventory, type StoredFile } from "../records/inventory.js";
import { contentFolder, hasForm, isAllowed, type Release, type SiteRecord } from "../records/site-record.js";
import type { KeepingRequest } from "./publish-request.js";
import { readInventories } from "../plan/found-files.js";

/** Finds the earlier releases to keep, newest first, and the files that only they need. */
export async function findEarlierReleases(
    target: SiteReader,
    record: SiteRecord | undefined,
    before: Inventory,
    { release, files }: { release: Release; files: Inventory },
    { keep, log, signal, switching, access }: KeepingRequest,
): Promise<{ earlier: Release[]; kept: Inventory }> {
    const kept = new Inventory();
    const earlier: Release[] = [];
    const all = [...(record?.live === undefined ? [] : [record.live]), ...(record?.earlier ?? [])];
    const others = all.filter(
        (each) => each.sha256 !== release.sha256 && hasForm(each, switching) && isAllowed(each, access),
    );
    const candidates = others.slice(0, keep);
    if (candidates.length === 0) {
        return { earlier, kept };
    }
    const live = new Set([...files].map(([, { digest }]) => digest));
    const there = new Set([...before].map(([, { digest }]) => digest));
    for (const candidate of candidates) {
        const needed = await readInventories(target, [candidate.files], signal);
        const missing = new Inventory();
        for (const [path, file] of needed ?? []) {
            const isLive = switching === "files" ? live.has(file.digest) : files.has(path);
            if (!isLive) {
                missing.set(path, file);
            }
        }
        const isThere = (path: string, { digest }: StoredFile) =>
            switching === "files" ? there.has(digest) : before.get(path)?.digest === digest;
        if (needed === undefined || ![...missing].every(([path, file]) => isThere(path, file))) {
            log(
                `${target.address}: files of ${candidate.jobId ?? candidate.sha256} are missing, so this release ` +
                    "is not kept",
            );
            continue;
        }
        earlier.push(candidate);
        for (const [path, file] of missing) {
            if (switching === "files") {
                kept.set(contentFolder + file.digest!, { ...file, headers: contentHeaders });
            } else {
                kept.set(path, file);
            }
        }
    }
    return { earlier, kept };
}

/** No reader requests these objects. */
const contentHeaders = JSON.stringify({ contentType: "application/octet-stream", cacheControl: "no-store" });
