import { systemClock } from "../../time/clock.js";
import { encodeInventory } from "../records/inventory-text.js";
import { Inventory } from "../records/inventory.js";
import {
    accessKey,
    accessPartsFolder,
    hasForm,
    isAllowed,
    type Release,
    releasesFolder,
    type SiteRecord,
} from "../records/site-record.js";
import { formatSettings, haveSameFiles, headersOf, parseHeaders } from "../site/file-headers.js";
import { readSite, redirectMap, type SiteContents } from "../site/read-site.js";
import type { SiteTarget } from "../targets/site-target.js";
import type { PublishRequest } from "./publish-request.js";
import { readInventories } from "./site-records.js";

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

/** Returns an earlier release whose contents the target already has, or otherwise the site that the caller opens. */
export async function findRelease(
    target: SiteTarget,
    record: SiteRecord | undefined,
    request: PublishRequest,
): Promise<NewRelease> {
    const { jobId, headers, signal, switching, access, clock = systemClock } = request;
    const settings = formatSettings(headers);
    const publishedAt = new Date(clock.now()).toISOString();
    const isSame = (each: Release | undefined): each is Release =>
        jobId !== undefined &&
        each?.jobId === jobId &&
        hasForm(each, switching) &&
        isAllowed(each, access) &&
        haveSameFiles(each.settings, settings);
    const known = [record?.live, ...(record?.earlier ?? [])].find(isSame);
    if (known !== undefined) {
        const files = await readInventories(target, [known.files], signal);
        if (files !== undefined) {
            for (const [path, file] of files) {
                files.set(path, { ...file, headers: headersOf(path, headers, parseHeaders(file.headers)) });
            }
            const encoded = await encodeInventory(files);
            const release = { ...known, files: encoded.digest, settings, publishedAt };
            return { release, files, encoded, folder: undefined, contents: new Map() };
        }
    }
    const opened = await request.openSite(signal);
    const { folder, sha256 } = opened;
    const { files: plainFiles, sizeBytes, contents } = await readSite(opened, { headers, access }, signal);
    const plain = await encodeInventory(plainFiles);
    const prefix = switching === "files" ? "" : `${releasesFolder}${plain.digest.slice(0, 16)}/`;
    const files = prefix === "" ? plainFiles : below(prefix, plainFiles);
    const encoded = prefix === "" ? plain : await encodeInventory(files);
    const llmsTxt = llmsTxtFiles.find((path) => plainFiles.has(path));
    const isPart = (path: string) => path.startsWith(accessPartsFolder);
    const accessParts = [...plainFiles.keys()].filter(isPart).length;
    const release: Release = {
        ...(jobId === undefined ? {} : { jobId }),
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

function below(prefix: string, files: Inventory): Inventory {
    const moved = new Inventory();
    for (const [path, file] of files) {
        moved.set(prefix + path, file);
    }
    return moved;
}
