import { systemClock } from "../time/clock.js";
import { PublishError } from "./errors/publish-error.js";
import type { Step } from "./plan/plan.js";
import { describeDrift, lookAt } from "./plan/look.js";
import { findFiles, readInventories, removeInventories } from "./plan/found-files.js";
import { mergePaths } from "./purge/changed-paths.js";
import { Inventory } from "./records/inventory.js";
import { ownFolder, type SiteRecord } from "./records/site-record.js";
import type { PublishRequest } from "./release/publish-request.js";
import { defaultLeaseTimes, Lease, waitForOtherRuns } from "./run/lease.js";
import { removeDue } from "./run/remove-due.js";
import type { RefusedRemoval, SiteReader, SiteTarget } from "./targets/site-target.js";

/** How to remove what no release needs. */
export type CleanRequest = Pick<
    PublishRequest,
    "purge" | "isDryRun" | "signal" | "log" | "onProgress" | "clock" | "leaseTimes"
> & {
    /** How long unneeded files stay. @default the time that the last run set */
    readonly graceSeconds?: number | undefined;
};

/** The files that were or, in a dry run, would be removed. */
export interface Cleaned {
    readonly steps: readonly Step[];
    readonly refused?: RefusedRemoval | undefined;
    /** When the first of the files that stay becomes due for removal, in milliseconds since 1970. */
    readonly removalDueAtMs: number | undefined;
}

/**
 * Removes the files whose time is over, without publishing anything: a schedule can call this between two releases.
 *
 * @throws PublishError if no site is live there, or its last run has not ended
 */
export async function cleanSite(target: SiteTarget, request: CleanRequest): Promise<Cleaned> {
    const { purge, isDryRun = false, signal, log, clock = systemClock, leaseTimes = defaultLeaseTimes } = request;
    const reader: SiteReader = target;
    const { record, version } = await waitForOtherRuns(reader, leaseTimes, clock, log, signal);
    const live = record?.live;
    if (record === undefined || live === undefined) {
        throw new PublishError(`No site is published at ${reader.address}: it has no record of a live release.`);
    }
    const { pending } = record;
    if (pending !== undefined && pending.release?.files !== live.files) {
        throw new PublishError(`The last run at ${reader.address} has not ended: publish the site again first.`);
    }
    const found = await findFiles(reader, record, log, signal);
    const before = await lookAt(reader, found, { site: new Inventory(), adopts: false, log, signal });
    const site = await readInventories(reader, [live.files], signal);
    if (site === undefined) {
        throw new PublishError(
            `The list of the live release's files at ${reader.address} is lost: publish the site again first, with ` +
                "--adopt (in a program: with adopt: true and its next export).",
        );
    }
    const drift = describeDrift(reader.address, before, (path) => site.has(path), "Publish the site again.");
    if (drift !== undefined) {
        log(drift);
    }
    // The list still names what the next run has to restore.
    for (const path of [...before.changed, ...before.missing]) {
        const file = found.files.get(path)!;
        if (file.goneAtMs === undefined) {
            before.files.set(path, file);
        }
    }
    const due: string[] = [];
    const graceMs = request.graceSeconds === undefined ? record.gone?.graceMs : request.graceSeconds * 1000;
    let sinceMs: number | undefined;
    for (const [path, file] of before.files) {
        if (site.has(path)) {
            continue;
        }
        const { goneAtMs } = file;
        if (goneAtMs === undefined) {
            continue;
        }
        if (path.startsWith(ownFolder) || goneAtMs + (graceMs ?? 0) <= clock.now()) {
            due.push(path);
        } else {
            sinceMs = Math.min(sinceMs ?? Infinity, goneAtMs);
        }
    }
    const gone = sinceMs === undefined || graceMs === undefined ? undefined : { sinceMs, graceMs };
    const steps = due.sort().map((path): Step => ({ phase: "removals", path }));
    const cleaned = { steps, removalDueAtMs: gone && gone.sinceMs + gone.graceMs };
    if (isDryRun) {
        return cleaned;
    }
    const lease = new Lease(target, { record, version }, leaseTimes, clock);
    if (due.length === 0) {
        await lease.purge(purge, signal);
        return cleaned;
    }
    const ownPaths = due.filter((path) => !path.startsWith(ownFolder));
    const addPaths = (last: SiteRecord): SiteRecord =>
        purge === undefined ? last : { ...last, changedPaths: mergePaths(last.changedPaths ?? [], ownPaths) };
    const { outcome, lists } = await removeDue(target, lease, { files: before.files, due, gone }, addPaths, request);
    const { refused } = outcome;
    await removeInventories(target, [record, { ...record, inventories: lists }], lease.record, log, signal);
    await lease.purge(purge, signal);
    return refused === undefined ? cleaned : { ...cleaned, refused, removalDueAtMs: clock.now() };
}
