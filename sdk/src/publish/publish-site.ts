import { randomUUID } from "node:crypto";
import { quoteName } from "../bundle/entry-path.js";
import { systemClock } from "../time/clock.js";
import {
    entryPages,
    findSources,
    type Plan,
    planRest,
    planSteps,
    planVersion,
    type Step,
    stepsOfSite,
} from "./plan/plan.js";
import { FileFailure, isFileFailure } from "./errors/storage-error.js";
import { PublishError } from "./errors/publish-error.js";
import { encodeInventory } from "./records/inventory-text.js";
import { Inventory } from "./records/inventory.js";
import { readInventories, type ReadRecord, removeInventories } from "./plan/found-files.js";
import { type Look } from "./plan/look.js";
import { completeSettings } from "./settings/publish-settings.js";
import { findConflict } from "./site/find-conflict.js";
import { findEarlierReleases } from "./release/earlier-releases.js";
import { findBefore } from "./release/find-before.js";
import { findRelease, type NewRelease } from "./release/find-release.js";
import {
    accessKey,
    describeNewForm,
    hasForm,
    inventoryKey,
    isAllowed,
    ownFolder,
    type Release,
    releasesFolder,
    type SiteRecord,
} from "./records/site-record.js";
import { defaultLeaseTimes, Lease, waitForOtherRuns } from "./run/lease.js";
import type { KeepingRequest, PublishRequest } from "./release/publish-request.js";
import { removeDue } from "./run/remove-due.js";
import { type PlanOutcome, runPlan } from "./run/run-plan.js";
import { mergePaths } from "./purge/changed-paths.js";
import { everyPath } from "./site/address-of.js";
import { foldName } from "./targets/folder-files.js";
import type { SiteReader, SiteTarget } from "./targets/site-target.js";

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

/** A planned run. Only `apply` changes the target or the CDN, so a dry run does not call it. */
interface Publication {
    readonly published: Published;
    readonly apply: () => Promise<Published>;
}

/**
 * Makes a site live: sends only changed files, ordered so that no page refers to a missing file, records the live
 * release, and finally removes what nobody needs. If a run is killed, the site keeps working, and the next run continues.
 *
 * @throws PublishError with the next step
 */
export async function publishSite(target: SiteTarget, request: PublishRequest): Promise<Published> {
    try {
        const { published, apply } = await planPublication(target, request);
        return request.isDryRun === true ? published : await apply();
    } catch (error) {
        // The error of an aborted request does not contain the reason.
        request.signal.throwIfAborted();
        throw isFileFailure(error) ? new FileFailure(error, target.address) : error;
    }
}

async function planPublication(target: SiteTarget, given: PublishRequest): Promise<Publication> {
    const settings = completeSettings(given);
    const { owner, log, signal, switching, access, addresses, adopt = false } = settings;
    const { clock = systemClock, leaseTimes = defaultLeaseTimes } = given;
    const reader: SiteReader = target;
    const conflict = findConflict({ access, switching, addresses, hasHeaders: reader.hasHeaders });
    if (conflict !== undefined) {
        throw new PublishError(`The setting ${conflict.setting} ${conflict.reason}.`);
    }
    const found = await waitForOtherRuns(reader, leaseTimes, clock, log, signal);
    const { record } = found;
    const kept = record?.earlier.length ?? 0;
    const isRollback = given.releaseId !== undefined;
    const nextKeep = given.keep ?? record?.keep ?? kept;
    const request = { ...settings, keep: isRollback ? Math.max(nextKeep, kept) : nextKeep, nextKeep };
    if (record !== undefined) {
        assertOwner(reader.address, record, owner);
    }
    const site = await findRelease(reader, record, request);
    const before = await findBefore(reader, record, site, request);
    const { live } = record ?? {};
    const isLive = live?.files === site.release.files;
    const release = isLive ? { ...site.release, publishedAt: live.publishedAt } : site.release;
    if (record !== undefined && isLive && !before.isOutdated && isSettled(record, request, clock.now())) {
        return settled(target, found, release, request);
    }
    if (record?.live !== undefined && given.isSharedOwner === true && !adopt) {
        await assertSameSite(reader, record.live, site, signal);
    }
    if (live !== undefined && !hasForm(live, switching)) {
        log(`${reader.address}: ${describeNewForm[switching]}`);
    }
    return planChange(target, found, { ...site, release }, before, request);
}

/** Sites without an owner's name cannot be told apart by it, so a site without a common page is taken for another. */
async function assertSameSite(target: SiteReader, live: Release, site: NewRelease, signal: AbortSignal): Promise<void> {
    const files = (await readInventories(target, [live.files], signal)) ?? new Inventory();
    const pagesOf = (inventory: Inventory, { prefix = "" }: Release) =>
        [...inventory.keys()]
            .map((path) => path.slice(prefix.length))
            .filter((path) => path.endsWith(".html") && !entryPages.has(path));
    const published = pagesOf(files, live);
    // A page may have been renamed to another spelling.
    const pages = new Set(pagesOf(site.files, site.release).map(foldName));
    if (pages.size > 0 && published.length > 0 && !published.some((path) => pages.has(foldName(path)))) {
        throw new PublishError(
            `${target.address} has another site: none of its pages, such as ${quoteName(published[0]!)}, is a page of ` +
                "this site. Publish to another place. If this site replaces the other, adopt the place (--adopt).",
        );
    }
}

function assertOwner(address: string, record: SiteRecord, owner: string): void {
    if (record.owner !== owner) {
        throw new PublishError(
            `${address} belongs to "${record.owner}", but this run publishes for "${owner}". Publish to ` +
                `another prefix or folder. If this site replaces the other, set the owner to "${record.owner}".`,
        );
    }
}

/** The files are live. Only what the record says about them may change. */
function settled(target: SiteTarget, found: ReadRecord, live: Release, request: KeepingRequest): Publication {
    const { earlier, keep, gone, live: last } = found.record!;
    const graceMs = request.graceSeconds * 1000;
    const removalDueAtMs = gone && gone.sinceMs + graceMs;
    const published = { ...nothing, release: live, earlier, steps: [], changedPaths: [], removalDueAtMs };
    const { nextKeep } = request;
    const isRecorded = live.jobId === last?.jobId && live.sha256 === last?.sha256 && nextKeep === (keep ?? 0);
    return {
        published,
        apply: async () => {
            const lease = openLease(target, found, request);
            if (!isRecorded || (gone !== undefined && gone.graceMs !== graceMs)) {
                const left = gone === undefined ? {} : { gone: { ...gone, graceMs } };
                await lease.write((before) => ({ ...before, ...left, live, keep: nextKeep }), request.signal);
            }
            await lease.purge(request.purge, request.signal);
            return published;
        },
    };
}

function isSettled(record: SiteRecord, { keep, access, graceSeconds }: KeepingRequest, nowMs: number): boolean {
    const { pending, earlier, gone } = record;
    const areKept = earlier.length <= keep && earlier.every((each) => isAllowed(each, access));
    return pending === undefined && areKept && (gone === undefined || gone.sinceMs + graceSeconds * 1000 > nowMs);
}

/** Compares the files of the target with those that the site will have. */
async function planChange(
    target: SiteTarget,
    found: ReadRecord,
    site: NewRelease,
    before: Look,
    request: KeepingRequest,
): Promise<Publication> {
    const { graceSeconds, log, clock = systemClock, switching } = request;
    const reader: SiteReader = target;
    const { record } = found;
    const { earlier, kept } = await findEarlierReleases(reader, record, before.files, site, request);
    const times = { nowMs: clock.now(), graceMs: graceSeconds * 1000 };
    // Edges may read the last release's folder for some seconds after the switch.
    const rest = planRest(before.files, site.files, kept, times, switching === "files");
    const after = rest.files.size === 0 ? site.files : site.files.copy();
    for (const [path, file] of rest.files) {
        after.set(path, file);
    }
    for (const path of after.keys()) {
        if (after.isSameIn(before.files, path, false)) {
            after.set(path, { ...after.get(path)!, ...markIn(before.files, path) });
        }
    }
    const plan = planSteps(before.files, after, reader.hasHeaders);
    if (site.folder === undefined && !hasSources(before.files, after, plan)) {
        log(`${reader.address} no longer has all files of ${site.release.jobId}: they are fetched again`);
        const opened = await findRelease(reader, undefined, { ...request, jobId: undefined });
        const release = { ...opened.release, ...(request.jobId === undefined ? {} : { jobId: request.jobId }) };
        const fetched = { ...opened, release };
        return planChange(target, found, fetched, await findBefore(reader, record, fetched, request), request);
    }
    const removals = rest.due.map((path): Step => ({ phase: "removals", path }));
    const steps = [...plan.steps, ...removals.sort((a, b) => (a.path < b.path ? -1 : 1))];
    // A killed run has already changed some of the recorded paths.
    const changedPaths = mergePaths(
        record?.changedPaths ?? [],
        switching === "files" && record?.live?.prefix === undefined
            ? stepsOfSite(steps).map(({ path }) => path)
            : comparePaths(before.files, record?.live?.prefix ?? "", site),
    );
    const removalDueAtMs = rest.gone && rest.gone.sinceMs + times.graceMs;
    const published = { ...nothing, release: site.release, earlier, steps, changedPaths, removalDueAtMs };
    return {
        published,
        apply: () => makeChange(target, found, site, { before, after, rest, plan, published }, request),
    };
}

interface PlannedChange {
    readonly before: Look;
    readonly after: Inventory;
    readonly rest: ReturnType<typeof planRest>;
    readonly plan: Plan;
    readonly published: Published;
}

async function makeChange(
    target: SiteTarget,
    found: ReadRecord,
    site: NewRelease,
    { before, after, rest, plan, published }: PlannedChange,
    request: KeepingRequest,
): Promise<Published> {
    const { signal, log, clock = systemClock, onProgress = () => undefined } = request;
    const { prefix = "" } = site.release;
    await target.refuseUnfit?.(site.files.keys(), prefix);
    const restDigest = rest.files.size === 0 ? [] : [await encodeInventory(rest.files)];
    const beforeDigest = before.inventories === undefined ? [await encodeInventory(before.files)] : [];
    for (const { digest, content } of [site.encoded, ...restDigest, ...beforeDigest]) {
        await target.write(inventoryKey(digest), content, signal);
    }
    const inventories = [site.encoded.digest, ...restDigest.map(({ digest }) => digest)];
    const lease = openLease(target, found, request);
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
    if (found.record === undefined) {
        await findConditionalWrites(target, lease, log, signal);
    }
    const prepared = { plan, before: before.files, after, folder: site.folder, contents: site.contents, prefix };
    const outcome = await runPlan(target, prepared, lease, onProgress, signal);
    if (prefix !== "") {
        await target.switchTo?.(prefix);
    }
    const pendingRecord = lease.record;
    const goLive = ({ changedPaths: changed = [], ...last }: SiteRecord): SiteRecord => ({
        ...last,
        ...(request.purge === undefined || changed.length === 0 ? {} : { changedPaths: changed }),
        live: site.release,
        earlier: published.earlier,
        keep: request.nextKeep,
    });
    const { due, gone } = rest;
    const files = { files: after, due, gone };
    const removed = await removeDue(target, lease, files, goLive, { signal, log, onProgress });
    const lists = { ...pendingRecord, inventories: removed.lists };
    await removeInventories(target, [found.record, pendingRecord, lists], lease.record, log, signal);
    await lease.purge(request.purge, signal);
    const { removedFiles, refused } = removed.outcome;
    const isRefused = refused === undefined ? {} : { refused, removalDueAtMs: clock.now() };
    return { ...published, ...outcome, removedFiles, ...isRefused };
}

function markIn(files: Inventory, path: string): { mark?: number } {
    const { mark } = files.get(path)!;
    return mark === undefined ? {} : { mark };
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

function openLease(target: SiteTarget, { record, version }: ReadRecord, request: PublishRequest): Lease {
    const { owner, clock = systemClock, leaseTimes = defaultLeaseTimes } = request;
    const first: SiteRecord = {
        ...{ formatVersion: 1, planVersion, owner, conditionalWrites: true, serial: 0 },
        ...{ earlier: [], inventories: [] },
    };
    return new Lease(target, { record: record ?? first, version }, leaseTimes, clock);
}

function hasSources(before: Inventory, after: Inventory, plan: Plan): boolean {
    const { late } = findSources(before, after, plan);
    return plan.steps.every(({ path }) => late.has(after.get(path)!.digest!));
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
            `${target.address}: this storage does not support conditional writes, so it cannot reject the later of ` +
                "two runs that publish here in the same second. Do not run two pipelines for one site at once.",
        );
    }
}
