import { amount } from "@pulumi-static-export/contract";
import { afterPart, planSteps, planVersion } from "./plan.js";
import type { SiteReader, SiteTarget } from "../targets/site-target.js";
import { decodeInventory } from "../records/inventory-text.js";
import { Inventory } from "../records/inventory.js";
import {
    contentFolder,
    inventoryKey,
    isDigest,
    ownFolder,
    parseRecord,
    recordKey,
    type SiteRecord,
} from "../records/site-record.js";

/** The record with its version, which the next write expects. */
export interface ReadRecord {
    readonly record: SiteRecord | undefined;
    readonly version: string | undefined;
}

/** @throws PublishError if the record was edited */
export async function readRecord(target: SiteReader, signal: AbortSignal): Promise<ReadRecord> {
    const found = await target.read(recordKey, signal);
    return {
        record: found && parseRecord(found.content, target.recordAddress),
        version: found?.version,
    };
}

/** Reads the files of several inventories; undefined if an inventory is missing or was edited. */
export async function readInventories(
    target: SiteReader,
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

/** The files at the target, with the digests of the inventories that list them. */
export interface Found {
    readonly files: Inventory;
    /** Undefined if no stored inventory lists the files. */
    readonly inventories: readonly string[] | undefined;
}

/** Determines the site's files at the target; if an inventory is lost, lists those that the remaining ones name. */
export async function findFiles(
    target: SiteReader,
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
        `${target.address}: the list of its files is missing or was edited. Only files in the remaining lists count ` +
            "as the site's.",
    );
    const isOwn = await findOwnFiles(target, record, signal);
    const { files, others } = await listFiles(target, isOwn, signal);
    if (others > 0) {
        const found = amount(others, "file is in no list", "files are in no list");
        log(
            `${target.address}: ${found}, so this run removes none of them. Remove by hand what readers should no ` +
                "longer get.",
        );
    }
    return { files, inventories: undefined };
}

/** Whether the site has published a file, according to its record and the remaining inventories. */
async function findOwnFiles(
    target: SiteReader,
    { live, earlier, inventories, pending }: SiteRecord,
    signal: AbortSignal,
): Promise<(path: string) => boolean> {
    const releases = [live, ...earlier, pending?.release].flatMap((release) => release ?? []);
    const runs = [...(pending?.before ?? []), ...(pending?.after ?? [])];
    const lists: Inventory[] = [];
    for (const digest of new Set([...inventories, ...runs, ...releases.map(({ files }) => files)])) {
        lists.push((await readInventories(target, [digest], signal)) ?? new Inventory());
    }
    const folders = releases.flatMap(({ prefix }) => prefix ?? []);
    return (path) => folders.some((folder) => path.startsWith(folder)) || lists.some((files) => files.has(path));
}

/**
 * Lists the files of the site, and counts the other files. A file's content is unknown, unless its name is its digest.
 */
async function listFiles(
    target: SiteReader,
    isOfSite: (path: string) => boolean,
    signal: AbortSignal,
): Promise<{ files: Inventory; others: number }> {
    const files = new Inventory();
    let others = 0;
    for await (const { path, sizeBytes } of target.list(signal)) {
        if (path.startsWith(contentFolder)) {
            const digest = path.slice(contentFolder.length);
            if (isDigest(digest)) {
                files.set(path, { digest, sizeBytes, headers: "" });
            }
        } else if (!path.startsWith(ownFolder)) {
            if (isOfSite(path)) {
                files.set(path, { digest: undefined, sizeBytes, headers: "" });
            } else {
                others += 1;
            }
        }
    }
    return { files, others };
}

/** Returns the digests of all inventories that a record names. */
export function listsOf(record: SiteRecord | undefined): string[] {
    const { inventories = [], live, earlier = [], pending } = record ?? {};
    const releases = live === undefined ? earlier : [live, ...earlier];
    return [
        ...inventories,
        ...releases.map(({ files }) => files),
        ...(pending?.before ?? []),
        ...(pending?.after ?? []),
    ];
}

/**
 * Removes inventories that are no longer needed. A failure is only reported, because the site is live, and the
 * inventories are small.
 */
export async function removeInventories(
    target: SiteTarget,
    earlier: readonly (SiteRecord | undefined)[],
    now: SiteRecord,
    log: (line: string) => void,
    signal: AbortSignal,
): Promise<void> {
    const needed = new Set(listsOf(now));
    const unneeded = [...new Set(earlier.flatMap(listsOf))].filter((digest) => !needed.has(digest));
    const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));
    const refused = await target.remove(unneeded.map(inventoryKey), signal).catch((error: unknown) => ({ error }));
    if (refused !== undefined) {
        log(`Could not remove lists of earlier releases. ${describe(refused.error)}`);
    }
}
