import { findFiles } from "../plan/found-files.js";
import { describeDrift, type Look, lookAt } from "../plan/look.js";
import { checkNewPlace } from "../plan/new-place.js";
import { Inventory } from "../records/inventory.js";
import type { SiteRecord } from "../records/site-record.js";
import type { SiteReader } from "../targets/site-target.js";
import type { NewRelease } from "./find-release.js";
import type { PublishRequest } from "./publish-request.js";

/** Finds the files at the target, and compares them with the record. */
export async function findBefore(
    reader: SiteReader,
    record: SiteRecord | undefined,
    { files }: NewRelease,
    { adopt: adopts = false, trustRecord = false, log, signal }: PublishRequest,
): Promise<Look> {
    const found =
        record === undefined
            ? { files: new Inventory(), inventories: [] }
            : await findFiles(reader, record, log, signal);
    const isNewFile = (path: string) => !found.files.has(path);
    const looks =
        record === undefined
            ? await checkNewPlace(reader, files, adopts, log, signal)
            : !trustRecord || [...files.keys()].some(isNewFile);
    if (!looks) {
        return { ...found, changed: [], missing: [], removed: [], isOutdated: false };
    }
    const look = await lookAt(reader, found, { site: files, adopts, log, signal });
    const drift = describeDrift(reader.address, look, (path) => files.has(path), "They are published again.");
    if (drift !== undefined) {
        log(drift);
    }
    return look;
}
