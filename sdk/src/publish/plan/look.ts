import { amount } from "@pulumi-static-export/contract";
import { createHash } from "node:crypto";
import { quoteName } from "../../bundle/entry-path.js";
import { PublishError } from "../errors/publish-error.js";
import { Inventory, markOf } from "../records/inventory.js";
import { ownFolder, type SiteRecord } from "../records/site-record.js";
import { nameSome } from "../site/name-some.js";
import type { ListedFile, SiteReader } from "../targets/site-target.js";
import { type Found, readInventories } from "./found-files.js";
import { describeOwner, folderOfRecord, InnerSites, type Neighbour, refuseFilesOfOuterSites } from "./neighbours.js";
import { WantedFiles } from "./wanted-files.js";

/** The result of a look at a place. */
export interface Look extends Found {
    /** The recorded files whose content somebody else has changed. */
    readonly changed: readonly string[];
    /** The recorded files that are not at the place. */
    readonly missing: readonly string[];
    /** Those of the missing files that somebody else has removed: a stopped run may not have written the others. */
    readonly removed: readonly string[];
    /** Whether the record has to change, although the release may stay the same. */
    readonly isOutdated: boolean;
}

/** Why a run looks at a place. */
interface Looking {
    /** The files of the site to publish, and none for a run that only removes files. */
    readonly site: Inventory;
    /** Whether files that the record does not list may be replaced. */
    readonly adopts: boolean;
    readonly log: (line: string) => void;
    readonly signal: AbortSignal;
}

/** Larger files are sent again instead of reading them. */
const maxReadBytes = 8 * 1024 * 1024;
const readsAtOnce = 16;

/**
 * Compares the files that the record lists with those at the place, and finds the sites inside the place. Files whose
 * version is not the recorded one are read. Removes from `found` what is gone or belongs to such a site, and the digests
 * of what has changed.
 *
 * @throws PublishError if the site would replace files of somebody else
 */
export async function lookAt(target: SiteReader, found: Found, looking: Looking): Promise<Look> {
    const { site, adopts, signal } = looking;
    const files = found.files.copy();
    const inner = new InnerSites(target);
    const seen = new Set<string>();
    const unclear: string[] = [];
    const changed: string[] = [];
    const strange: string[] = [];
    for await (const listed of target.list(signal, new WantedFiles(files, site))) {
        const { path } = listed;
        const folder = folderOfRecord(path);
        const file = files.get(path);
        if (file === undefined) {
            if (folder !== undefined) {
                inner.add(folder);
            } else if ((site.has(path) || isInTheWay(target, site, path)) && !hasAlias(files, listed)) {
                strange.push(path);
            }
            continue;
        }
        seen.add(path);
        const mark = markOf(listed.tag);
        if (file.digest === undefined || (file.sizeBytes === listed.sizeBytes && file.mark === mark)) {
            continue;
        }
        if (file.sizeBytes === listed.sizeBytes && file.sizeBytes <= maxReadBytes) {
            unclear.push(path);
            files.set(path, { ...file, mark });
        } else {
            changed.push(path);
        }
    }
    changed.push(...(await findChanged(target, files, unclear, signal)));
    const missing = [...files.keys()].filter((path) => !seen.has(path));
    const removed = missing.filter((path) => files.get(path)!.digest !== undefined);
    for (const path of missing) {
        files.delete(path);
    }
    for (const path of changed) {
        const { mark: _mark, ...file } = files.get(path)!;
        files.set(path, { ...file, digest: undefined });
    }
    const left = await leaveFilesOfInnerSites(target, files, inner, looking);
    await refuseStrangeFiles(target, strange, adopts, signal);
    const isNeeded = (path: string) => found.files.get(path)!.goneAtMs === undefined;
    const isUnlisted = found.inventories === undefined;
    const isOutdated = isUnlisted || left > 0 || unclear.length > 0 || [...changed, ...missing].some(isNeeded);
    const isAsRecorded = !isOutdated && changed.length + missing.length === 0;
    return { files, inventories: isAsRecorded ? found.inventories : undefined, changed, missing, removed, isOutdated };
}

/** Whether a file in a folder has the name of a folder of the site. */
function isInTheWay({ hasHeaders }: SiteReader, site: Inventory, path: string): boolean {
    return !hasHeaders && [...site.keys()].some((each) => each.startsWith(`${path}/`));
}

/** Whether a disk that ignores the case of names has a listed file under the name of a recorded one. */
function hasAlias(files: Inventory, { aliases = [] }: ListedFile): boolean {
    return aliases.some((path) => files.has(path));
}

/** Reads files, and returns those that do not have the recorded content. */
async function findChanged(
    target: SiteReader,
    files: Inventory,
    paths: readonly string[],
    signal: AbortSignal,
): Promise<string[]> {
    const changed: string[] = [];
    let next = 0;
    const read = async () => {
        while (next < paths.length) {
            const path = paths[next++]!;
            const found = await target.read(path, signal);
            if (
                createHash("sha256")
                    .update(found?.content ?? "")
                    .digest("hex") !== files.get(path)!.digest
            ) {
                changed.push(path);
            }
        }
    };
    await Promise.all(Array.from({ length: readsAtOnce }, read));
    return changed.sort();
}

/**
 * Takes the files of sites inside the place from the list: the innermost place owns a file.
 *
 * @returns how many files were taken
 * @throws PublishError if the site to publish has files there
 */
async function leaveFilesOfInnerSites(
    target: SiteReader,
    files: Inventory,
    inner: InnerSites,
    { site, log, signal }: Looking,
): Promise<number> {
    const inside = [...site.keys()].filter((path) => inner.contains(path));
    for (const path of inside) {
        const found = await inner.find(path, signal);
        if (found !== undefined) {
            throw new PublishError(
                `${target.address} contains another site: ${describeOwner(found.site)} has published to ` +
                    `${found.site.address}, where this site has ${amount(inside.length, "file", "files")}, such as ` +
                    `${quoteName(path)}. Rename these files, or publish one of the two sites to another place.`,
            );
        }
    }
    const taken = new Map<Neighbour, string[]>();
    for (const path of [...files.keys()].filter((each) => inner.contains(each))) {
        const owner = await inner.find(path, signal);
        if (owner !== undefined && (owner.site.files?.has(owner.path) ?? true)) {
            files.delete(path);
            taken.set(owner.site, [...(taken.get(owner.site) ?? []), path]);
        }
    }
    let count = 0;
    for (const [owner, paths] of taken) {
        count += paths.length;
        const what = amount(paths.length, "file stays", "files stay");
        log(
            `${target.address}: ${what}, because the site of ${describeOwner(owner)} at ${owner.address} has ` +
                `${nameSome(paths)}`,
        );
    }
    return count;
}

/** @throws PublishError */
async function refuseStrangeFiles(
    target: SiteReader,
    paths: readonly string[],
    adopts: boolean,
    signal: AbortSignal,
): Promise<void> {
    if (paths.length === 0) {
        return;
    }
    await refuseFilesOfOuterSites(target, paths, signal);
    if (!adopts) {
        throw new PublishError(
            `${target.address} has ${amount(paths.length, "file", "files")} of the same name as files of this site, ` +
                `which are in no list of this site: ${nameSome(paths)}. Move them away, publish to another place, or ` +
                "replace them (--adopt, or adopt: true in a program).",
        );
    }
}

/**
 * Finds the files of the live release that somebody else has changed or removed. Finds none while a run changes the
 * site.
 */
export async function findDrift(
    target: SiteReader,
    record: SiteRecord,
    log: (line: string) => void,
    signal: AbortSignal,
): Promise<string[]> {
    const site = record.live && (await readInventories(target, [record.live.files], signal));
    const files = record.pending === undefined && (await readInventories(target, record.inventories, signal));
    if (site === undefined || !files) {
        return [];
    }
    const found = { files, inventories: record.inventories };
    const look = await lookAt(target, found, { site: new Inventory(), adopts: false, log, signal });
    return [...look.changed, ...look.missing].filter((path) => site.has(path)).sort();
}

/** Describes the files of a site that somebody else has changed or removed. Undefined if there are none. */
export function describeDrift(
    address: string,
    { changed, removed }: Pick<Look, "changed" | "removed">,
    isOfSite: (path: string) => boolean,
    remedy: string,
): string | undefined {
    const describe = (all: readonly string[], what: [string, string]) => {
        const paths = all.filter((path) => isOfSite(path) && !path.startsWith(ownFolder));
        return paths.length === 0 ? [] : [`${amount(paths.length, ...what)} (${nameSome(paths)})`];
    };
    const parts = [
        ...describe(changed, ["file was changed", "files were changed"]),
        ...describe(removed, ["file was removed", "files were removed"]),
    ];
    return parts.length === 0 ? undefined : `${address}: ${parts.join(", and ")} by somebody else. ${remedy}`;
}
