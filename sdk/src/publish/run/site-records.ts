import { afterPart, planSteps, planVersion } from "../plan/plan.js";
import type { SiteTarget } from "../targets/site-target.js";
import { decodeInventory } from "../records/inventory-text.js";
import { Inventory } from "../records/inventory.js";
import {
    contentFolder,
    inventoryKey,
    ownFolder,
    parseRecord,
    recordKey,
    type SiteRecord,
} from "../records/site-record.js";

/** The record with the version that a write of it expects. */
export interface ReadRecord {
    readonly record: SiteRecord | undefined;
    readonly version: string | undefined;
}

/** @throws PublishError if the record was edited */
export async function readRecord(target: SiteTarget, signal: AbortSignal): Promise<ReadRecord> {
    const found = await target.read(recordKey, signal);
    return {
        record: found && parseRecord(found.content, target.recordAddress),
        version: found?.version,
    };
}

/** The files of several inventories; undefined if one is missing or was edited. */
export async function readInventories(
    target: SiteTarget,
    digests: readonly string[],
    signal: AbortSignal,
): Promise<Inventory | undefined> {
    const files = new Inventory();
    for (const digest of digests) {
        const found = await target.read(inventoryKey(digest), signal);
        if (found === undefined || !(await decodeInventory(found.content, digest, files))) {
            return undefined;
        }
    }
    return files;
}

/** What is at the target, with the digests of the inventories that say so. */
export interface Found {
    readonly files: Inventory;
    /** Undefined if no stored inventory says it. */
    readonly inventories: readonly string[] | undefined;
}

/** Finds out what is at the target; after a lost inventory by listing all files. */
export async function findFiles(
    target: SiteTarget,
    record: SiteRecord,
    log: (line: string) => void,
    signal: AbortSignal,
): Promise<Found> {
    const { pending, inventories } = record;
    if (pending === undefined) {
        const files = await readInventories(target, inventories, signal);
        if (files !== undefined) {
            return { files, inventories };
        }
    } else {
        const before = await readInventories(target, pending.before, signal);
        const after = await readInventories(target, pending.after, signal);
        if (before !== undefined && after !== undefined) {
            const plan = planSteps(before, after, target.hasHeaders);
            const isSamePlan = record.planVersion === planVersion;
            const progress = isSamePlan ? pending : { done: 0, allowed: plan.steps.length };
            return { files: afterPart(before, after, plan, progress), inventories: undefined };
        }
    }
    log(
        `${target.address}: the list of its files is missing or was edited. All files are listed and sent again; those ` +
            "that the site does not contain are removed after the grace time.",
    );
    return { files: await listFiles(target, signal), inventories: undefined };
}

/** Files of unknown content; only those that are named after their content are known. */
async function listFiles(target: SiteTarget, signal: AbortSignal): Promise<Inventory> {
    const files = new Inventory();
    for await (const { path, sizeBytes } of target.list(signal)) {
        if (path.startsWith(contentFolder)) {
            files.set(path, { digest: path.slice(contentFolder.length), sizeBytes, headers: "" });
        } else if (!path.startsWith(ownFolder)) {
            files.set(path, { digest: undefined, sizeBytes, headers: "" });
        }
    }
    return files;
}

/** Files that were there before the first release are neither ours to remove nor part of the site. */
export async function reportStrangers(
    target: SiteTarget,
    after: Inventory,
    log: (line: string) => void,
    signal: AbortSignal,
): Promise<void> {
    const enough = 1000;
    let count = 0;
    for await (const { path } of target.list(signal)) {
        count += after.has(path) || path.startsWith(ownFolder) ? 0 : 1;
        if (count === enough) {
            break;
        }
    }
    if (count > 0) {
        const number = count === enough ? `At least ${count}` : String(count);
        log(`${target.address}: ${number} files that do not belong to the site are there and stay`);
    }
}

/** A failure is only reported: the site is live, and these files are small. */
export async function removeInventories(
    target: SiteTarget,
    earlier: readonly (SiteRecord | undefined)[],
    now: SiteRecord,
    log: (line: string) => void,
    signal: AbortSignal,
): Promise<void> {
    const digestsOf = (record: SiteRecord | undefined) => [
        ...(record?.inventories ?? []),
        ...[...(record?.live === undefined ? [] : [record.live]), ...(record?.earlier ?? [])].map(({ files }) => files),
        ...(record?.pending === undefined ? [] : [...record.pending.before, ...record.pending.after]),
    ];
    const needed = new Set(digestsOf(now));
    const unneeded = [...new Set(earlier.flatMap(digestsOf))].filter((digest) => !needed.has(digest));
    try {
        await target.remove(unneeded.map(inventoryKey), signal);
    } catch (error) {
        log(`Could not remove lists of earlier releases. ${error instanceof Error ? error.message : String(error)}`);
    }
}
