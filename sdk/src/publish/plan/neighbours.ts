import { amount } from "@pulumi-static-export/contract";
import { quoteName } from "../../bundle/entry-path.js";
import { PublishError } from "../errors/publish-error.js";
import { StorageError } from "../errors/storage-error.js";
import type { Inventory } from "../records/inventory.js";
import type { SiteRecord } from "../records/site-record.js";
import type { SiteReader } from "../targets/site-target.js";
import { readInventories, readRecord } from "./found-files.js";

/** A site whose place is inside another place, or contains it. */
export interface Neighbour {
    readonly address: string;
    /** Undefined if the record cannot be read: another program may have written it. */
    readonly owner: string | undefined;
    /** Undefined if they are not known: then each file there may be the site's. */
    readonly files: Inventory | undefined;
}

/** Reads the site at a place; undefined if none is there. */
async function readNeighbour(reader: SiteReader, signal: AbortSignal): Promise<Neighbour | undefined> {
    const { address } = reader;
    let record: SiteRecord | undefined;
    try {
        ({ record } = await readRecord(reader, signal));
    } catch (error) {
        if (error instanceof PublishError && !(error instanceof StorageError)) {
            return { address, owner: undefined, files: undefined };
        }
        throw error;
    }
    if (record === undefined) {
        return undefined;
    }
    const { owner, pending, inventories } = record;
    const lists = [...inventories, ...(pending?.before ?? []), ...(pending?.after ?? [])];
    return { address, owner, files: await readInventories(reader, lists, signal) };
}

const recordOfPlace = /^(.+\/)\.static-export\/(?:site|record-\d{12})\.json$/s;

/** Returns the folder whose record is at a path, if the path is that of a record. */
export function folderOfRecord(path: string): string | undefined {
    return recordOfPlace.exec(path)?.[1];
}

/** The sites whose places are inside a place. */
export class InnerSites {
    readonly #reader: SiteReader;
    readonly #folders = new Set<string>();
    readonly #sites = new Map<string, Neighbour | undefined>();

    constructor(reader: SiteReader) {
        this.#reader = reader;
    }

    /** @param folder - that has a record, with a slash at its end */
    add(folder: string): void {
        this.#folders.add(folder);
    }

    get isEmpty(): boolean {
        return this.#folders.size === 0;
    }

    /** Whether a path is in the place of one of these sites. */
    contains(path: string): boolean {
        return this.#folderOf(path) !== undefined;
    }

    /** Finds the site in whose place a path is. */
    async find(path: string, signal: AbortSignal): Promise<{ site: Neighbour; path: string } | undefined> {
        const folder = this.#folderOf(path);
        if (folder === undefined) {
            return undefined;
        }
        if (!this.#sites.has(folder)) {
            this.#sites.set(folder, await readNeighbour(this.#reader.innerPlace(folder), signal));
        }
        const site = this.#sites.get(folder);
        return site && { site, path: path.slice(folder.length) };
    }

    /** The longest folder is that of the innermost site. */
    #folderOf(path: string): string | undefined {
        for (let end = path.lastIndexOf("/"); this.#folders.size > 0 && end > 0; end = path.lastIndexOf("/", end - 1)) {
            const folder = path.slice(0, end + 1);
            if (this.#folders.has(folder)) {
                return folder;
            }
        }
        return undefined;
    }
}

/**
 * Refuses paths that belong to a site whose place contains this one. A place that these keys may not read is skipped.
 *
 * @param paths - undefined: all paths of this place
 * @throws PublishError
 */
export async function refuseFilesOfOuterSites(
    target: SiteReader,
    paths: readonly string[] | undefined,
    signal: AbortSignal,
): Promise<void> {
    for (const { reader, folder } of await target.outerPlaces()) {
        const site = await readNeighbour(reader, signal).catch(ignoreDenied);
        if (site === undefined) {
            continue;
        }
        const known = [...(site.files?.keys() ?? [])].filter((path) => path.startsWith(folder));
        const theirs = paths === undefined ? known : paths.filter((path) => site.files?.has(folder + path) ?? true);
        if (theirs.length > 0 || site.files === undefined) {
            const example = theirs.length === 0 ? "" : `, such as ${quoteName(theirs[0]!)}`;
            throw new PublishError(
                `${target.address} has files of another site: ${describeOwner(site)} has published to ${site.address}, ` +
                    `and ${site.files === undefined ? "all files below it may be its own" : `${amount(theirs.length, "file is", "files are")} here${example}`}. ` +
                    "Publish to another place, or first remove these files from that site " +
                    "(publish it without them, and with --grace-seconds 0).",
            );
        }
    }
}

/** Keys for one prefix usually may not read what is above it. So may users of a folder. */
function ignoreDenied(error: unknown): undefined {
    const isDenied = error instanceof StorageError && error.isDenied;
    if (!isDenied && !["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) {
        throw error;
    }
}

export function describeOwner({ owner }: Neighbour): string {
    return owner === undefined ? "another program" : `"${owner}"`;
}
