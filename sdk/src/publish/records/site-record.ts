import type { Switching } from "../settings/publish-settings.js";
import { PublishError } from "../errors/publish-error.js";

/** The folder for the site's records, below its prefix. */
export const ownFolder = ".static-export/";
export const recordKey = `${ownFolder}site.json`;
/** The folder for contents that only an earlier release needs, named by digest. */
export const contentFolder = `${ownFolder}files/`;

/**
 * The list of who may read which file, below the release's folder. Only the host needs this list: readers must not get
 * it.
 */
export const accessKey = `${ownFolder}access.json`;

/** The folder for the parts of a long list, below the release's folder. */
export const accessPartsFolder = `${ownFolder}access/`;

/** The parent folder of all releases, if the site is switched as a whole. */
export const releasesFolder = "releases/";

/** Whether a prefix, which ends with a slash, belongs to the records of a site. */
export function isBelowRecords(prefix: string): boolean {
    return `/${prefix}`.includes(`/${ownFolder}`);
}

export function inventoryKey(digest: string): string {
    return `${ownFolder}inventories/${digest}.gz`;
}

/** One version of a site. */
export interface Release {
    /** The export job; absent for a folder or an archive. */
    readonly jobId?: string;
    /** The folder of the release's files, `releases/…/`; absent if files are replaced one by one. */
    readonly prefix?: string;
    /**
     * The file that lists the readers of each file, `releases/…/.static-export/access.json`. A host that cannot read
     * this file must not serve the release. Absent if everybody may read all files.
     */
    readonly access?: string;
    /**
     * The number of parts of that list, `releases/…/.static-export/access/0.json` and so on; absent if the list is
     * short. A host can read the part with the files of an address instead of the list.
     */
    readonly accessParts?: number;
    /** Whether the release has a map of redirects. Absent in records of earlier versions. */
    readonly hasRedirects?: boolean;
    /**
     * The path of the release's list of pages for language models, if it has one. Absent in records of earlier
     * versions.
     */
    readonly llmsTxt?: string;
    /** The label of the export. Absent if the export has none, and in records of earlier versions. */
    readonly version?: string;
    /** SHA-256 of the bundle, or of the list of files of a folder. */
    readonly sha256: string;
    /** Digest of the inventory of the release's files. */
    readonly files: string;
    /** The settings that the release's headers depend on, as JSON. */
    readonly settings: string;
    readonly fileCount: number;
    readonly sizeBytes: number;
    /** RFC 3339. */
    readonly publishedAt: string;
}

/** A run that has begun to change files, and its progress. */
export interface Pending {
    /** Absent if the run removes the site. */
    readonly release?: Release;
    /** Digests of the inventories of the files before the run. */
    readonly before: readonly string[];
    /** Digests of the inventories of the files after the run. */
    readonly after: readonly string[];
    /** The number of completed steps of the plan. */
    readonly done: number;
    /** Steps of the plan from this number on have not begun. */
    readonly allowed: number;
    /** Differs between runs. */
    readonly run: string;
    /** Whether the run has ended, so that the next run need not wait. */
    readonly hasEnded: boolean;
}

/** Files that stay for readers who have earlier pages open. */
export interface GoneFiles {
    /** When the first of them stopped being needed, in milliseconds since 1970. */
    readonly sinceMs: number;
    /** How long they stay. */
    readonly graceMs: number;
}

/**
 * The live release at a prefix, and the pending changes. The record is the only object whose writes are conditional.
 */
export interface SiteRecord {
    readonly formatVersion: 1;
    /** The version of the order of steps in a plan; a pending run's plan with another version cannot be continued. */
    readonly planVersion: number;
    readonly owner: string;
    /** Whether the storage refuses a write that expects another version of the object. */
    readonly conditionalWrites: boolean;
    /** Makes every version of the record unique. */
    readonly serial: number;
    readonly live?: Release;
    /** Releases that can be served again without the platform, newest first. */
    readonly earlier: readonly Release[];
    /** How many of them the last run that chose a number keeps, if any. */
    readonly keep?: number;
    /** Digests of the inventories of the current files, unless a run is pending. */
    readonly inventories: readonly string[];
    /** The files that no release needs any more; absent if there are none. */
    readonly gone?: GoneFiles;
    readonly pending?: Pending;
    /** Paths where a CDN may have earlier content, because a pending run changes them or they await a purge. */
    readonly changedPaths?: readonly string[];
}

export function formatRecord(record: SiteRecord): Buffer {
    return Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`);
}

/** @param address - of the record. @throws PublishError if the record does not have this format */
export function parseRecord(content: Buffer, address: string): SiteRecord {
    const refuse = (why: string) =>
        new PublishError(
            `The record ${address} cannot be used: ${why}. Restore the record, or delete it and adopt the files ` +
                "(--adopt, adopt: true): then the next run sends every file again, and removes none.",
        );
    let value: unknown;
    try {
        value = JSON.parse(content.toString());
    } catch {
        throw refuse("the file is not JSON");
    }
    const record = value as Partial<SiteRecord> | null;
    if (typeof record !== "object" || record === null || record.formatVersion !== 1) {
        throw refuse("the format version is not 1: a newer release of this package may have written the record");
    }
    const { owner, serial, earlier, keep = 0, inventories, live, pending, changedPaths = [], gone } = record;
    const isWhole =
        isText(owner) &&
        typeof serial === "number" &&
        Array.isArray(earlier) &&
        earlier.every(isRelease) &&
        Number.isInteger(keep) &&
        isDigests(inventories) &&
        Array.isArray(changedPaths) &&
        changedPaths.every((path) => typeof path === "string") &&
        (gone === undefined || (typeof gone.sinceMs === "number" && typeof gone.graceMs === "number")) &&
        (live === undefined || isRelease(live)) &&
        (pending === undefined || isPending(pending));
    if (!isWhole) {
        throw refuse("it was edited");
    }
    return record as SiteRecord;
}

function isRelease(value: unknown): value is Release {
    const {
        files,
        settings,
        sha256,
        prefix,
        jobId = "",
        version = "",
        accessParts = 0,
        fileCount,
        sizeBytes,
    } = (value ?? {}) as Partial<Release>;
    const isPrefix = prefix === undefined || isReleaseFolder(prefix);
    const areNumbers = [accessParts, fileCount, sizeBytes].every((number) => typeof number === "number");
    return isDigest(files) && [settings, sha256, jobId, version].every(isText) && isPrefix && areNumbers;
}

/** Whether a path is the folder of a release. */
export function isReleaseFolder(path: string): boolean {
    return /^releases\/[0-9a-f]{16}\/$/.test(path);
}

/** These strings appear in messages, so they must not look like other lines of a log. */
export function isText(value: unknown): value is string {
    return typeof value === "string" && !/\p{Cc}/u.test(value);
}

/** Whether a release was published with the given way of switching. */
export function hasForm({ prefix }: Release, switching: Switching): boolean {
    return (prefix === undefined) === (switching === "files");
}

/** Advice for a host whose site changes its way of switching, perhaps because somebody forgot the option. */
export const describeNewForm: Readonly<Record<Switching, string>> = {
    files:
        "until now, each release had a folder. This run replaces the files one by one: let the host serve them, or set " +
        "the switching to releases again (--switching releases).",
    releases:
        "until now, the files were replaced one by one. This run puts the release into a folder: let the host look up " +
        "the live one, or set the switching to files again (--switching files).",
};

/** Whether the host may serve a release: either the host enforces its access.json, or everybody may read all files. */
export function isAllowed(release: Release, access: "edge" | undefined): boolean {
    return access === "edge" || release.access === undefined;
}

function isPending(value: Pending): boolean {
    const { release, before, after, done, allowed } = value;
    const isKnown = release === undefined || isRelease(release);
    return isKnown && isDigests(before) && isDigests(after) && [done, allowed].every(Number.isInteger);
}

function isDigests(value: unknown): boolean {
    return Array.isArray(value) && value.every(isDigest);
}

/** Digests name the inventories to read and delete, so all other strings are rejected. */
export function isDigest(value: unknown): boolean {
    return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
