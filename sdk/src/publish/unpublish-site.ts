import { randomUUID } from "node:crypto";
import { systemClock } from "../time/clock.js";
import { PublishError } from "./errors/publish-error.js";
import { planSteps, planVersion, type Step, stepsOfSite } from "./plan/plan.js";
import { encodeInventory } from "./records/inventory-text.js";
import { Inventory } from "./records/inventory.js";
import { inventoryKey } from "./records/site-record.js";
import { defaultLeaseTimes, Lease, waitForOtherRuns } from "./run/lease.js";
import type { PublishRequest } from "./release/publish-request.js";
import { runPlan } from "./run/run-plan.js";
import { findFiles, listsOf, removeInventories } from "./plan/found-files.js";
import { lookAt } from "./plan/look.js";
import { everyPath } from "./site/address-of.js";
import type { SiteTarget } from "./targets/site-target.js";

/** Whose site is removed, and how. */
export type UnpublishRequest = Pick<
    PublishRequest,
    "owner" | "purge" | "isDryRun" | "signal" | "log" | "onProgress" | "clock" | "leaseTimes"
>;

/** The files that were or, in a dry run, would be removed. */
export interface Unpublished {
    readonly steps: readonly Step[];
}

/**
 * Removes a published site: the files of all its releases, and finally its record. Files that the site's lists do not
 * name stay. If a run is killed, readers no longer get the site, and the next run continues.
 *
 * @throws PublishError if no site of this owner is published there
 */
export async function unpublishSite(target: SiteTarget, request: UnpublishRequest): Promise<Unpublished> {
    const { owner, purge, isDryRun = false, signal, log, onProgress = () => undefined } = request;
    const { clock = systemClock, leaseTimes = defaultLeaseTimes } = request;
    const { record, version } = await waitForOtherRuns(target, leaseTimes, clock, log, signal);
    if (record === undefined) {
        throw new PublishError(`No site is published at ${target.address}: it has no record.`);
    }
    if (record.owner !== owner) {
        throw new PublishError(
            `${target.address} belongs to "${record.owner}", and this run removes a site of "${owner}". If the site ` +
                `is no longer needed, set the owner to "${record.owner}".`,
        );
    }
    const found = await findFiles(target, record, log, signal);
    const after = new Inventory();
    const before = await lookAt(target, found, { site: after, adopts: false, log, signal });
    const plan = planSteps(before.files, after, target.hasHeaders);
    const unpublished = { steps: stepsOfSite(plan.steps) };
    if (isDryRun) {
        return unpublished;
    }
    const lease = new Lease(target, { record, version }, leaseTimes, clock);
    const encoded = before.inventories === undefined ? [await encodeInventory(before.files)] : [];
    for (const { digest, content } of encoded) {
        await target.write(inventoryKey(digest), content, signal);
    }
    await lease.write(
        ({ live: _live, gone: _gone, ...last }) => ({
            ...last,
            planVersion,
            earlier: [],
            // They are removed with the record, perhaps by another run.
            inventories: [...new Set(listsOf(record))],
            changedPaths: [everyPath],
            pending: {
                before: before.inventories ?? encoded.map(({ digest }) => digest),
                after: [],
                done: 0,
                allowed: plan.steps.length,
                run: randomUUID(),
                hasEnded: false,
            },
        }),
        signal,
    );
    await target.switchTo?.(undefined);
    const prepared = { plan, before: before.files, after, folder: undefined, contents: new Map(), prefix: "" };
    const { refused } = await runPlan(target, prepared, lease, onProgress, signal);
    if (refused !== undefined) {
        await lease.save({ hasEnded: true }, signal);
        throw refused.error;
    }
    await purge?.([everyPath], signal);
    const { pending: _pending, ...none } = lease.record;
    await removeInventories(target, [record, lease.record], { ...none, inventories: [] }, log, signal);
    const refusedRecord = await target.removeRecord(signal);
    if (refusedRecord !== undefined) {
        throw refusedRecord.error;
    }
    return unpublished;
}
