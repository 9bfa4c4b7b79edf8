import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { describeOwner } from "@pulumi-static-export/contract/file-owner";
import { createRealPlace, isWithin } from "@pulumi-static-export/exporter";
import { type Site } from "../exports/site.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/**
 * Creates the folder for everything the service stores, including secrets.
 *
 * @returns the absolute path
 * @throws ServiceOptionsError when it cannot be written
 */
export function prepareDataFolder(dataDir: string): string {
    const folder = resolve(dataDir);
    try {
        createFolder(folder);
        accessSync(folder, constants.W_OK | constants.X_OK);
    } catch (error) {
        const { code = "unknown error" } = error as NodeJS.ErrnoException;
        // The owner of a folder around it, such as / or /home, would mislead.
        const owned = (code === "EACCES" || code === "EPERM") && existsSync(folder) ? describeOwner(folder) : undefined;
        const advice =
            owned === undefined
                ? "choose another one, or give this user write permission"
                : `${owned}. Run chown --recursive on ${folder}, or choose another one`;
        throw new ServiceOptionsError(`Data folder ${folder} cannot be written (${code}): ${advice}.`);
    }
    ignoreInGit(folder);
    return folder;
}

/** Creates missing folders one by one, because the recursive form never ends in a file system that refuses folders. */
function createFolder(folder: string): void {
    if (!existsSync(folder)) {
        createFolder(dirname(folder));
        mkdirSync(folder, { mode: 0o700 });
    }
}

/** @throws ServiceOptionsError if a site would publish the data folder or a file with secrets */
export function assertNothingSecretPublished(
    { dataDir, secretFiles = {} }: { dataDir: string; secretFiles?: Readonly<Record<string, string>> },
    domain: string,
    { source }: Site,
    realPlace = createRealPlace(),
): void {
    // A repository is checked out elsewhere.
    if (typeof source !== "string") {
        return;
    }
    const folder = realPlace(source);
    assertNotPublished({ dataDir, data: realPlace(resolve(dataDir)) }, domain, folder);
    for (const [name, file] of Object.entries(secretFiles)) {
        if (isPublishedIn(folder, realPlace(file))) {
            throw new ServiceOptionsError(
                `${name} ${file} is inside the folder of site ${domain} and would be published with it: move it to ` +
                    "another folder. Choose a new secret if the site was exported before.",
            );
        }
    }
}

/** Adds a .gitignore to the folder, which contains secrets and may be inside a repository. */
function ignoreInGit(folder: string): void {
    try {
        writeFileSync(join(folder, ".gitignore"), "*\n", { flag: "wx" });
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
            throw error;
        }
    }
}

/**
 * A data folder inside a site's folder must be hidden, although exports skip it in any case. A site inside the data
 * folder could not be distinguished from the service's own files.
 */
function assertNotPublished({ dataDir, data }: { dataDir: string; data: string }, domain: string, site: string): void {
    if (isPublishedIn(site, data)) {
        throw new ServiceOptionsError(
            `Data folder ${dataDir} is inside the folder of site ${domain} and would be published with it: ` +
                "choose a folder outside, or one whose name begins with a dot.",
        );
    }
    if (isWithin(data, site)) {
        throw new ServiceOptionsError(
            `The folder of site ${domain} is inside the data folder ${dataDir}, so nothing in the site's folder is ` +
                "published: choose a data folder that holds nothing else.",
        );
    }
}

/** Whether the site would publish a file or folder: exports skip hidden ones. */
function isPublishedIn(site: string, place: string): boolean {
    const way = relative(site, place);
    return !isAbsolute(way) && !way.split(sep).some((name) => name.startsWith("."));
}
