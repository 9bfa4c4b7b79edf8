import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { amount, maxVersionCharacters } from "@pulumi-static-export/contract";
import { systemClock } from "../../time/clock.js";
import { PublishError } from "../errors/publish-error.js";
import { encodeInventory } from "../records/inventory-text.js";
import { Inventory } from "../records/inventory.js";
import {
    accessKey,
    accessPartsFolder,
    hasForm,
    isAllowed,
    isText,
    type Release,
    releasesFolder,
    type SiteRecord,
} from "../records/site-record.js";
import { formatSettings, haveSameFiles, headersOf, parseHeaders } from "../site/file-headers.js";
import { findRefusedByHosts } from "../site/host-limits.js";
import { readSite, redirectMap, type SiteContents } from "../site/read-site.js";
import { nameSome } from "../site/name-some.js";
import type { SiteReader } from "../targets/site-target.js";
import type { CompleteSettings } from "../settings/publish-settings.js";
import type { PublishRequest } from "./publish-request.js";
import { readInventories } from "../plan/found-files.js";

/** The release to make live, with its files. */
export interface NewRelease {
    readonly release: Release;
    readonly files: Inventory;
    readonly encoded: { digest: string; content: Buffer };
    /** Undefined if the target already has the contents of all files. */
    readonly folder: string | undefined;
    /** The locations of the files' contents by path, except for files that are at their own path in the folder. */
    readonly contents: SiteContents;
}

/** A site that is served under a path has its list of pages only in the second of these files. */
const llmsTxtFiles = ["llms.txt", ".well-known/llms.txt"];

/** The file in which exporters write the label of an export. */
const versionFile = "static-export/version.json";

/** Returns an earlier release whose contents the target already has, or otherwise the site that the caller opens. */
export async function findRelease(
    target: SiteReader,
    record: SiteRecord | undefined,
    request: CompleteSettings<PublishRequest>,
): Promise<NewRelease> {
    const { jobId, releaseId, signal, switching, access, clock = systemClock } = request;
    const settings = formatSettings(request);
    const publishedAt = new Date(clock.now()).toISOString();
    const isUsable = (each: Release): boolean =>
        hasForm(each, switching) && isAllowed(each, access) && haveSameFiles(each.settings, settings);
    const wanted =
        releaseId === undefined || record === undefined ? undefined : findById(releaseId, record, target.address);
    if (wanted !== undefined && !isUsable(wanted)) {
        throw new PublishError(
            `Release ${releaseId} was published with other settings: use the same switching, addresses and access again.`,
        );
    }
    const isSame = (each: Release) => jobId !== undefined && each.jobId === jobId && isUsable(each);
    const known = wanted ?? releasesOf(record).find(isSame);
    if (known !== undefined) {
        const files = await readInventories(target, [known.files], signal);
        if (files !== undefined) {
            for (const [path, file] of files) {
                files.set(path, { ...file, headers: headersOf(path, request, parseHeaders(file.headers)) });
            }
            const encoded = await encodeInventory(files);
            const release = { ...known, files: encoded.digest, settings, publishedAt };
            return { release, files, encoded, folder: undefined, contents: new Map() };
        }
    }
    if (releaseId !== undefined) {
        throw new PublishError(
            `${target.address} does not have all files of release ${releaseId}: publish its folder or its job again.`,
        );
    }
    const opened = await request.openSite(signal);
    const { folder, sha256 } = opened;
    const given = { headers: request, access, readLive: () => readLiveFiles(target, record, signal) };
    const { files: plainFiles, sizeBytes, contents, leftOut } = await readSite(opened, given, signal);
    if (leftOut.length > 0) {
        const count = amount(leftOut.length, "hidden or secret entry is", "hidden or secret entries are");
        request.log(`${count} not published: ${nameSome(leftOut)}. To publish everything, pass --all-files.`);
    }
    if (request.addresses === "rules") {
        const redirects = contents.get("_redirects");
        const text = redirects instanceof Buffer ? redirects.toString() : undefined;
        findRefusedByHosts(plainFiles, text).forEach((warning) => request.log(warning));
    }
    const plain = await encodeInventory(plainFiles);
    const version = await readVersion(folder);
    const prefix = switching === "files" ? "" : `${releasesFolder}${plain.digest.slice(0, 16)}/`;
    const files = prefix === "" ? plainFiles : below(prefix, plainFiles);
    const encoded = prefix === "" ? plain : await encodeInventory(files);
    const llmsTxt = llmsTxtFiles.find((path) => plainFiles.has(path));
    const isPart = (path: string) => path.startsWith(accessPartsFolder);
    const accessParts = [...plainFiles.keys()].filter(isPart).length;
    const release: Release = {
        ...(jobId === undefined ? {} : { jobId }),
        ...(version === undefined ? {} : { version }),
        ...(prefix === "" ? {} : { prefix }),
        ...(files.has(`${prefix}${accessKey}`) ? { access: `${prefix}${accessKey}` } : {}),
        ...(accessParts === 0 ? {} : { accessParts }),
        hasRedirects: plainFiles.has(redirectMap),
        ...(llmsTxt === undefined ? {} : { llmsTxt: `/${llmsTxt}` }),
        sha256: sha256 ?? plain.digest,
        files: encoded.digest,
        settings,
        fileCount: files.size,
        sizeBytes,
        publishedAt,
    };
    return { release, files, encoded, folder, contents };
}

/** Reads the files of the live release by their paths in the site. */
async function readLiveFiles(
    target: SiteReader,
    record: SiteRecord | undefined,
    signal: AbortSignal,
): Promise<Inventory | undefined> {
    const { live } = record ?? {};
    const files = live && (await readInventories(target, [live.files], signal));
    if (files === undefined || live?.prefix === undefined) {
        return files;
    }
    const moved = new Inventory();
    for (const [path, file] of files) {
        moved.set(path.slice(live.prefix.length), file);
    }
    return moved;
}

/** The label of the export in a folder, if the label fits on a line. */
async function readVersion(folder: string): Promise<string | undefined> {
    try {
        const { version } = JSON.parse(await readFile(join(folder, versionFile), "utf8")) as { version?: unknown };
        return isText(version) && version.length <= maxVersionCharacters ? version : undefined;
    } catch {
        // The site has no label, or comes from another program.
        return undefined;
    }
}

/** Lists the releases that the target has: the live one, then the earlier ones, newest first. */
export function releasesOf(record: SiteRecord | undefined): Release[] {
    return [...(record?.live === undefined ? [] : [record.live]), ...(record?.earlier ?? [])];
}

/** The name of a release for people: its job, or the first digits of its SHA-256. */
export function releaseIdOf({ jobId, sha256 }: Release): string {
    return jobId ?? sha256.slice(0, 12);
}

/** @throws PublishError if the id means none or several of the releases */
function findById(id: string, record: SiteRecord, address: string): Release {
    const all = releasesOf(record);
    const [found, ...others] = all.filter(({ jobId, sha256 }) => jobId === id || sha256.startsWith(id));
    if (found === undefined || others.length > 0) {
        const ids = all.map(releaseIdOf).join(", ") || "none yet";
        const what = found === undefined ? "has no release" : "has several releases whose SHA-256 begins with";
        throw new PublishError(`${address} ${what} ${id}. Its releases: ${ids}.`);
    }
    return found;
}

function below(prefix: string, files: Inventory): Inventory {
    const moved = new Inventory();
    for (const [path, file] of files) {
        moved.set(prefix + path, file);
    }
    return moved;
}
