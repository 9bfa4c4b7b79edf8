import { amount } from "@pulumi-static-export/contract";
import { randomUUID } from "node:crypto";
import { PublishError } from "../errors/publish-error.js";
import { isFileFailure } from "../errors/storage-error.js";
import { planSteps } from "../plan/plan.js";
import { encodeInventory } from "../records/inventory-text.js";
import type { Inventory } from "../records/inventory.js";
import { type GoneFiles, inventoryKey, type SiteRecord } from "../records/site-record.js";
import { nameSome } from "../site/name-some.js";
import type { SiteTarget } from "../targets/site-target.js";
import type { Lease } from "./lease.js";
import { type PlanOutcome, type PublishProgress, runPlan } from "./run-plan.js";

/** All files at a target, and those that nobody needs any more. */
interface DueFiles {
    readonly files: Inventory;
    readonly due: readonly string[];
    /** The files that stay, although no release needs them. */
    readonly gone: GoneFiles | undefined;
}

interface Removing {
    readonly signal: AbortSignal;
    readonly log: (line: string) => void;
    readonly onProgress?: ((progress: PublishProgress) => void) | undefined;
}

const nothingDone: PlanOutcome = { sentFiles: 0, sentBytes: 0, copiedFiles: 0, removedFiles: 0 };

/**
 * Records a change of the release, and then removes the files that are due. The release is live by then, so a storage
 * that refuses a removal causes a warning, and the next run tries again.
 *
 * @returns the outcome, and the digests of the lists that were stored
 */
export async function removeDue(
    target: SiteTarget,
    lease: Lease,
    { files, due, gone }: DueFiles,
    change: (record: SiteRecord) => SiteRecord,
    { signal, log, onProgress = () => undefined }: Removing,
): Promise<{ outcome: PlanOutcome; lists: readonly string[] }> {
    const lists: string[] = [];
    const store = async (all: Inventory): Promise<string[]> => {
        const { digest, content } = await encodeInventory(all);
        await target.write(inventoryKey(digest), content, signal);
        lists.push(digest);
        return [digest];
    };
    const inventories = await store(files);
    const settle = ({ pending: _pending, gone: _gone, ...record }: SiteRecord, left: GoneFiles | undefined) =>
        left === undefined ? record : { ...record, gone: left };
    if (due.length === 0) {
        await lease.write((record) => ({ ...settle(change(record), gone), inventories }), signal);
        return { outcome: nothingDone, lists };
    }
    const after = files.copy();
    for (const path of due) {
        after.delete(path);
    }
    const remaining = await store(after);
    const plan = planSteps(files, after, target.hasHeaders);
    const pending = { before: inventories, after: remaining, done: 0, allowed: plan.steps.length };
    await lease.write((last) => {
        const record = change(last);
        const release = record.live === undefined ? {} : { release: record.live };
        const run = { ...release, ...pending, run: randomUUID(), hasEnded: false };
        return { ...settle(record, gone), inventories, pending: run };
    }, signal);
    try {
        const prepared = { plan, before: files, after, folder: undefined, contents: new Map(), prefix: "" };
        const outcome = await runPlan(target, prepared, lease, onProgress, signal);
        const { paths = [], error } = outcome.refused ?? {};
        let left = gone;
        for (const path of paths) {
            const file = files.get(path)!;
            after.set(path, file);
            left = { sinceMs: Math.min(left?.sinceMs ?? Infinity, file.goneAtMs ?? 0), graceMs: gone?.graceMs ?? 0 };
        }
        const digests = paths.length === 0 ? remaining : await store(after);
        await lease.write((last) => ({ ...settle(last, left), inventories: digests }), signal);
        if (error !== undefined) {
            log(describeRefusal(target.address, paths, error));
        }
        return { outcome, lists };
    } catch (error) {
        const isOfTarget = (error instanceof PublishError || isFileFailure(error)) && !lease.lost.aborted;
        if (signal.aborted || !isOfTarget) {
            throw error;
        }
        log(describeRefusal(target.address, due, error));
        return { outcome: { ...nothingDone, refused: { paths: due, error } }, lists };
    }
}

function describeRefusal(address: string, paths: readonly string[], error: Error): string {
    const files = amount(paths.length, "file", "files");
    return (
        `${address}: the release is live, but ${files} that nobody needs could not be removed: ${nameSome(paths)}. ` +
        `${error.message} The next run tries again.`
    );
}
