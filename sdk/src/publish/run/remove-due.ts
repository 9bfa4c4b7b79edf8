import { amount } from "@pulumi-static-export/contract";
import { randomUUID } from "node:crypto";
import { quoteName } from "../../bundle/entry-path.js";
import { PublishError } from "../errors/publish-error.js";
import { isFileFailure } from "../errors/storage-error.js";
import { planSteps } from "../plan/plan.js";
import { encodeInventory } from "../records/inventory-text.js";
import type { Inventory } from "../records/inventory.js";
import { type GoneFiles, inventoryKey, type SiteRecord } from "../records/site-record.js";
import type { SiteTarget } from "../targets/site-target.js";
import type { Lease } from "./lease.js";
import { type PlanOutcome, type PublishProgress, runPlan } from "./run-plan.js";

/** The files at a target, and those that nobody needs any more. */
interface DueFiles {
    /** The files of the release and all others. */
    readonly files: Inventory;
    /** The digest of the inventory of the release's files. */
    readonly site: string;
    /** The other files. */
    readonly rest: Inventory;
    /** The digests of the inventories that list `files`. */
    readonly inventories: readonly string[];
    readonly due: readonly string[];
    /** The files that stay, although no release needs them. */
    readonly gone: GoneFiles | undefined;
}

interface Removing {
    readonly signal: AbortSignal;
    readonly log: (line: string) => void;
    readonly onProgress?: ((progress: PublishProgress) => void) | undefined;
}

const maxNamed = 5;

/**
 * Records a change of the release, and then removes the files that are due. The release is live by then, so a storage
 * that refuses a removal causes a warning, and the next run tries again.
 */
export async function removeDue(
    target: SiteTarget,
    lease: Lease,
    { files, site, rest, inventories, due, gone }: DueFiles,
    change: (record: SiteRecord) => SiteRecord,
    { signal, log, onProgress = () => undefined }: Removing,
): Promise<PlanOutcome> {
    const store = async (others: Inventory): Promise<string[]> => {
        if (others.size === 0) {
            return [site];
        }
        const { digest, content } = await encodeInventory(others);
        await target.write(inventoryKey(digest), content, signal);
        return [site, digest];
    };
    const settle = ({ pending: _pending, gone: _gone, ...record }: SiteRecord, left: GoneFiles | undefined) =>
        left === undefined ? record : { ...record, gone: left };
    if (due.length === 0) {
        await lease.write((record) => ({ ...settle(change(record), gone), inventories }), signal);
        return { sentFiles: 0, sentBytes: 0, copiedFiles: 0, removedFiles: 0 };
    }
    const [after, stay] = [files.copy(), rest.copy()];
    for (const path of due) {
        after.delete(path);
        stay.delete(path);
    }
    const remaining = await store(stay);
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
            stay.set(path, file);
            left = { sinceMs: Math.min(left?.sinceMs ?? Infinity, file.goneAtMs ?? 0), graceMs: gone?.graceMs ?? 0 };
        }
        const digests = paths.length === 0 ? remaining : await store(stay);
        await lease.write((last) => ({ ...settle(last, left), inventories: digests }), signal);
        if (error !== undefined) {
            log(describeRefusal(target.address, paths, error));
        }
        return outcome;
    } catch (error) {
        const isOfTarget = (error instanceof PublishError || isFileFailure(error)) && !lease.lost.aborted;
        if (signal.aborted || !isOfTarget) {
            throw error;
        }
        log(describeRefusal(target.address, due, error));
        return { sentFiles: 0, sentBytes: 0, copiedFiles: 0, removedFiles: 0, refused: { paths: due, error } };
    }
}

function describeRefusal(address: string, paths: readonly string[], error: Error): string {
    const named = paths.slice(0, maxNamed).map(quoteName).join(", ");
    const files = amount(paths.length, "file", "files");
    return (
        `${address}: the release is live, but ${files} that nobody needs could not be removed: ${named}` +
        `${paths.length > maxNamed ? " and others" : ""}. ${error.message} The next run tries again.`
    );
}
