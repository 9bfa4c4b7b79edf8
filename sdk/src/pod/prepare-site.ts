import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { accessFile } from "@pulumi-static-export/contract";
import { unpackArchive } from "../bundle/unpack-archive.js";
import { advice } from "../errors/advice.js";
import { BundleError } from "../errors/index.js";
import { FileTimes } from "./file-times.js";
import { writeRedirectMaps } from "./write-redirect-maps.js";
import { PodError } from "./pod-error.js";
import { bytesPerMib, type PodSettings } from "./pod-settings.js";
import { splitPrivateFiles } from "./split-private-files.js";

const redirectsFile = "static-export/redirects.map";
const maxRedirectsMib = 4;
const raise = "Raise the limit if that is expected.";

/** How many files a site has. */
export interface PreparedSite {
    publicFiles: number;
    privateFiles: number;
}

/**
 * Checks and unpacks an archive into `public`, `private`, `access` and `redirects` of the work folder.
 * @throws PodError when the archive is refused
 */
export async function prepareSite(
    archive: { path: string; sha256: string },
    settings: PodSettings,
    log: (text: string) => void,
): Promise<PreparedSite> {
    const { workFolder: work, expectedSha256 = archive.sha256 } = settings;
    if (archive.sha256 !== expectedSha256) {
        throw new PodError(
            `The bundle's SHA-256 is ${archive.sha256}, but staticExport.sha256 says ${expectedSha256}.`,
            "The bundle is refused: the pod serves nothing from it.",
        );
    }
    for (const name of ["public", "private", "access", "redirects"]) {
        rmSync(join(work, name), { recursive: true, force: true });
    }
    const site = join(work, "public");
    mkdirSync(site);
    const { maxFiles, maxSiteMib, groupsSeparator } = settings;
    const limits = { maxBytes: maxSiteMib * bytesPerMib, maxFiles, refuseLinks: true, requirePages: true };
    const times = new FileTimes(site, archive.sha256);
    try {
        const handlers = { onTime: (file: string, modified: Date | undefined) => times.set(file, modified) };
        const { fileCount } = await unpackArchive(archive.path, site, limits, undefined, handlers);
        readRedirects(site, join(work, "redirects"), log);
        const privateFiles = await splitPrivateFiles(site, work, groupsSeparator);
        const rulesFiles = existsSync(join(work, "access", accessFile)) ? 1 : 0;
        return { publicFiles: fileCount - privateFiles - rulesFiles, privateFiles };
    } catch (error) {
        throw error instanceof BundleError ? refused(error, settings) : error;
    }
}

function refused(error: BundleError, { maxFiles, maxSiteMib }: PodSettings): PodError {
    if (error.problem === "too-many-files") {
        return new PodError(`The bundle contains more than fetch.limits.files (${maxFiles}) files and folders.`, raise);
    }
    if (error.problem === "too-many-bytes") {
        const counted = "each file and folder counts as 4 KiB plus its content";
        const limit = `${maxSiteMib} MiB; ${counted}`;
        return new PodError(`The bundle unpacks to more than fetch.limits.siteMiB (${limit}).`, raise);
    }
    return new PodError(`The bundle is refused: ${error.summary}.`, advice.bundle[error.problem]);
}

/** A bundle with an unusable map is served without the map, because the pages at the old addresses redirect as well. */
function readRedirects(site: string, folder: string, log: (text: string) => void): void {
    mkdirSync(folder);
    const map = join(site, redirectsFile);
    const size = statSync(map, { throwIfNoEntry: false })?.size;
    if (size === undefined) {
        return;
    }
    if (size > maxRedirectsMib * bytesPerMib) {
        log(`Warning: redirects.map is not used, because it is larger than ${maxRedirectsMib} MiB.`);
        return;
    }
    for (const complaint of writeRedirectMaps(readFileSync(map, "latin1"), folder)) {
        log(`Warning: redirects.map: ${complaint}`);
    }
}
