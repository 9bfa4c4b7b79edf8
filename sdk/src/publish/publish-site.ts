import { randomUUID } from "node:crypto";
import { systemClock } from "../time/clock.js";
import { findSources, type Plan, planRest, planSteps, planVersion, type Step, stepsOfSite } from "./plan/plan.js";
import { FileFailure, isFileFailure } from "./errors/storage-error.js";
import { PublishError } from "./errors/publish-error.js";
import { encodeInventory } from "./records/inventory-text.js";
import { Inventory } from "./records/inventory.js";
import { findFiles, type Found, type ReadRecord, removeInventories, reportStrangers } from "./plan/site-records.js";
import { findConflict } from "./site/find-conflict.js";
import { findEarlierReleases } from "./release/earlier-releases.js";
import { findRelease, type NewRelease } from "./release/find-release.js";
import {
    accessKey,
    hasForm,
    inventoryKey,
    isAllowed,
    ownFolder,
    type Release,
    releasesFolder,
    type SiteRecord,
} from "./records/site-record.js";
import { defaultLeaseTimes, Lease, waitForOtherRuns } from "./run/lease.js";
import type { PublishRequest } from "./release/publish-request.js";
import { formatSettings } from "./site/file-headers.js";
import { type PlanOutcome, runPlan } from "./run/run-plan.js";
import { mergePaths } from "./purge/changed-paths.js";
import { everyPath } from "./site/address-of.js";
import type { SiteTarget } from "./targets/site-target.js";

/** The live release, and the changes that were made. */
export interface Published extends PlanOutcome {
    readonly release: Release;
    readonly earlier: readonly Release[];
    /** The files that were or, in a dry run, would be changed, in order. */
    readonly steps: readonly Step[];
    /** The paths where readers now get different content or no content; only `/*` if there are many paths. */
    readonly changedPaths: readonly string[];
    /** When the first file becomes due for removal, in milliseconds since 1970. */
    readonly removalDueAtMs: number | undefined;
}

const nothing: PlanOutcome = { sentFiles: 0, sentBytes: 0, copiedFiles: 0, removedFiles: 0 };

/**
 * Makes a site live: sends only changed files, ordered so that no page refers to a missing file, and finally records
 * the live release. If a run is killed, the site keeps working, and the next run continues.
 *
 * @throws PublishError with the next step
 */
export async function publishSite(target: SiteTarget, request: PublishRequest): Promise<Published> {
    try {
        return await publishUnlessCurrent(target, request);
    } catch (error) {
        // The error of an aborted request does not contain the reason.
        request.signal.throwIfAborted();
        throw isFileFailure(error) ? new FileFailure(error) : error;
    }
}

async function publishUnlessCurrent(target: SiteTarget, given: PublishRequest): Promise<Published> {
    const {
        owner,
        log,
        signal,
        switching,
        access,
        headers,
        clock = systemClock,
        leaseTimes = defaultLeaseTimes,
    } = given;
    const { addresses } = headers;
    const conflict = findConflict({ access, switching, addresses, hasHeaders: target.hasHeaders });
    if (conflict !== undefined) {
        throw new PublishError(`The setting ${conflict.setting} ${conflict.reason}.`);
    }
    const found = await waitForOtherRuns(target, leaseTimes, clock, log, signal);
    const { record } = found;
    const isRollback = given.releaseId !== undefined;
    const request = isRollback ? { ...given, keep: Math.max(given.keep, record?.earlier.length ?? 0) } : given;
    if (record !== undefined && record.owner !== owner) {
        throw new PublishError(
            `${target.address} belongs to "${record.owner}", but this run publishes for "${owner}". Publish to ` +
                `another prefix or folder; or, if this site replaces the other, set the owner to "${record.owner}".`,
        );
    }
    if (record?.live !== undefined && isCurrent(record, request, clock.now())) {
        return finish(unchanged(record, record.live), openLease(target, found, owner, request), request);
    }
    const site = await findRelease(target, record, request);
    if (record?.live?.files === site.release.files && isSettled(record, request, clock.now())) {
        const live = { ...site.release, publishedAt: record.live.publishedAt };
        const lease = openLease(target, found, owner, request);
        if (live.jobId !== record.live.jobId || live.sha256 !== record.live.sha256) {
            await lease.write((before) => ({ ...before, live }), signal);
        }
        return finish(unchanged(record, live), lease, request);
    }
    return change(target, found, site, request);
}

/** Purges the paths that this run has changed, and the paths that an earlier run could not purge. */
async function finish(
    published: Published,
    lease: Lease,
    { purge, signal, isDryRun }: PublishRequest,
): Promise<Published> {
    const { changedPaths } = lease.record;
    if (purge !== undefined && changedPaths !== undefined && isDryRun !== true) {
        await purge(changedPaths, signal);
        await lease.write(({ changedPaths: _purged, ...last }) => last, signal);
    }
    return published;
}

/** Whether the job is live with the requested settings, and no steps are left. */
function isCurrent(record: SiteRecord, request: PublishRequest, nowMs: number): boolean {
    const { live } = record;
    const { jobId, headers } = request;
    const isSame = jobId !== undefined && live?.jobId === jobId && live.settings === formatSettings(headers);
    const isFit = isSame && hasForm(live, request.switching) && isAllowed(live, request.access);
    return isFit && isSettled(record, request, nowMs);
}

function isSettled(record: SiteRecord, { keep, access }: PublishRequest, nowMs: number): boolean {
    const { pending, earlier, removalDueAtMs = Infinity } = record;
    const areKept = earlier.length <= keep && earlier.every((each) => isAllowed(each, access));
    return pending === undefined && areKept && removalDueAtMs > nowMs;
}

function unchanged({ earlier, removalDueAtMs }: SiteRecord, release: Release): Published {
    return { ...nothing, release, earlier, steps: [], changedPaths: [], removalDueAtMs };
}

async function change(
    target: SiteTarget,
    found: ReadRecord,
    site: NewRelease,
    request: PublishRequest,
): Promise<Published> {
    const { signal, log } = request;
    const planned = await planChange(target, found.record, site, request);
    const { before, after, plan, published } = planned;
    if (site.folder === undefined && !hasSources(before.files, after, plan)) {
        log(`${target.address} no longer has all files of ${site.release.jobId}: they are fetched again`);
        const again = { ...request, jobId: undefined };
        const opened = await findRelease(target, undefined, again);
        const release = { ...opened.release, ...(request.jobId === undefined ? {} : { jobId: request.jobId }) };
        return change(target, found, { ...opened, release }, request);
    }
    if (request.isDryRun) {
        return { ...nothing, ...published };
    }
    if (found.record === undefined) {
        await reportStrangers(target, after, log, signal);
    }
    return makeChange(target, found, site, planned, request);
}

/** Compares the files of the target with those that the site will have. */
async function planChange(
    target: SiteTarget,
    record: SiteRecord | undefined,
    site: NewRelease,
    request: PublishRequest,
) {
    const { graceSeconds, signal, log, clock = systemClock, switching } = request;
    const before: Found =
        record === undefined
            ? { files: new Inventory(), inventories: [] }
            : await findFiles(target, record, (path) => site.files.has(path), log, signal);
    const { earlier, kept } = await findEarlierReleases(target, record, before.files, site, request);
    const times = { nowMs: clock.now(), graceMs: graceSeconds * 1000 };
    // Until the switch, readers get a release whose files are separate from the files of the next release.
    const rest = planRest(before.files, site.files, kept, times, switching === "files");
    const after = rest.files.size === 0 ? site.files : site.files.copy();
    for (const [path, file] of rest.files) {
        after.set(path, file);
    }
    const plan = planSteps(before.files, after, target.hasHeaders);
    // A killed run has already changed some of the recorded paths.
    const changedPaths = mergePaths(
        record?.changedPaths ?? [],
        switching === "files"
            ? stepsOfSite(plan.steps).map(({ path }) => path)
            : comparePaths(before.files, record?.live?.prefix ?? "", site),
    );
    const { removalDueAtMs } = rest;
    const published = { release: site.release, earlier, steps: plan.steps, changedPaths, removalDueAtMs };
    return { before, after, rest, plan, published };
}

async function makeChange(
    target: SiteTarget,
    found: ReadRecord,
    site: NewRelease,
    { before, after, rest, plan, published }: Awaited<ReturnType<typeof planChange>>,
    request: PublishRequest,
): Promise<Published> {
    const { owner, signal, log, onProgress = () => undefined } = request;
    const { record } = found;
    const restDigest = rest.files.size === 0 ? [] : [await encodeInventory(rest.files)];
    const beforeDigest = before.inventories === undefined ? [await encodeInventory(before.files)] : [];
    for (const { digest, content } of [site.encoded, ...restDigest, ...beforeDigest]) {
        await target.write(inventoryKey(digest), content, signal);
    }
    const inventories = [site.encoded.digest, ...restDigest.map(({ digest }) => digest)];
    const lease = openLease(target, found, owner, request);
    const pending = {
        release: site.release,
        before: before.inventories ?? beforeDigest.map(({ digest }) => digest),
        after: inventories,
        done: 0,
        allowed: plan.contentSteps > 0 ? plan.contentSteps : plan.steps.length,
        run: randomUUID(),
        hasEnded: false,
    };
    await lease.write((last) => ({ ...last, planVersion, changedPaths: published.changedPaths, pending }), signal);
    if (record === undefined) {
        await findConditionalWrites(target, lease, log, signal);
    }
    const { prefix = "" } = site.release;
    const prepared = { plan, before: before.files, after, folder: site.folder, contents: site.contents, prefix };
    const outcome = await runPlan(target, prepared, lease, onProgress, signal);
    if (prefix !== "") {
        await target.switchTo?.(prefix);
    }
    const pendingRecord = lease.record;
    await lease.write(
        ({ pending: _pending, removalDueAtMs: _due, changedPaths: changed = [], ...last }) => ({
            ...last,
            ...(request.purge === undefined || changed.length === 0 ? {} : { changedPaths: changed }),
            live: site.release,
            earlier: published.earlier,
            inventories,
            ...(rest.removalDueAtMs === undefined ? {} : { removalDueAtMs: rest.removalDueAtMs }),
        }),
        signal,
    );
    await removeInventories(target, [record, pendingRecord], lease.record, log, signal);
    return finish({ ...published, ...outcome }, lease, request);
}

/** Compares the live release with a release in another folder, and returns the changed paths. */
function comparePaths(before: Inventory, from: string, { release, files }: NewRelease): string[] {
    const { prefix = "" } = release;
    if (before.get(from + accessKey)?.digest !== files.get(prefix + accessKey)?.digest) {
        // A CDN may still serve any page to readers who may no longer see it.
        return [everyPath];
    }
    const paths = [...files.keys()].map((path) => path.slice(prefix.length));
    const changed = paths.filter((path) => before.get(from + path)?.digest !== files.get(prefix + path)!.digest);
    for (const [path, { goneAtMs }] of before) {
        const isOther = path.startsWith(ownFolder) || (from === "" && path.startsWith(releasesFolder));
        const isLive = path.startsWith(from) && goneAtMs === undefined && !isOther;
        if (isLive && !files.has(prefix + path.slice(from.length))) {
            changed.push(path.slice(from.length));
        }
    }
    return changed;
}

function openLease(target: SiteTarget, { record, version }: ReadRecord, owner: string, request: PublishRequest): Lease {
    const { clock = systemClock, leaseTimes = defaultLeaseTimes } = request;
    const first: SiteRecord = {
        ...{ formatVersion: 1, planVersion, owner, conditionalWrites: true, serial: 0 },
        ...{ earlier: [], inventories: [] },
    };
    return new Lease(target, { record: record ?? first, version }, leaseTimes, clock);
}

function hasSources(before: Inventory, after: Inventory, plan: Plan): boolean {
    const { late } = findSources(before, after, plan);
    return plan.steps.every(({ phase, path }) => phase === "removals" || late.has(after.get(path)!.digest!));
}

/** If the storage has no conditional writes, reports the consequences once. */
async function findConditionalWrites(
    target: SiteTarget,
    lease: Lease,
    log: (line: string) => void,
    signal: AbortSignal,
): Promise<void> {
    if (!(await lease.findConditionalWrites(signal))) {
        log(
            `${target.address}: this storage does not support conditional writes, so it cannot reject the second of ` +
                "two runs that publish here in the same second. Do not run two pipelines for one site at once.",
        );
    }
}
