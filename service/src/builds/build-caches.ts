import { execFile } from "node:child_process";
import { lstat, mkdir, readdir, realpath, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { isWithin } from "@pulumi-static-export/exporter";
import { folderSize } from "../processes/disk-watch.js";
import { removeLeftovers } from "../processes/remove-leftovers.js";

/** The folders in which builders keep their work for the next build, relative to the folder of the command. */
const builderFolders = [
    ...[".astro", ".cache", ".next/cache", ".vitepress/cache", "_build/doctrees", "docs/.vitepress/cache"],
    ...["node_modules/.astro", "node_modules/.cache", "node_modules/.vite", "resources/_gen"],
];

/** The variables that make package managers use the folder `.cache` of the home folder. */
export function cacheVariables(home: string): Record<string, string> {
    const cache = join(home, ".cache");
    return {
        XDG_CACHE_HOME: cache,
        npm_config_cache: join(cache, "npm"),
        // npm reports the variable that earlier versions of pnpm read.
        pnpm_config_store_dir: join(cache, "pnpm-store"),
        BUN_INSTALL_CACHE_DIR: join(cache, "bun"),
        YARN_GLOBAL_FOLDER: join(cache, "yarn-berry"),
    };
}

/** The line of a build's log if its cache is larger than the site's limit. */
export function cacheTooLarge(cacheMegabytes: number): string {
    return cacheNotKept(`it has more than ${cacheMegabytes} MB: raise build.cacheMegabytes in the sites file`);
}

function cacheNotKept(reason: string): string {
    return `The build's cache was not saved: ${reason}.`;
}

/** The folders of one build. Real paths. */
export interface CachedPlaces {
    readonly root: string;
    readonly base: string;
    readonly home: string;
    /** An unused path on the same disk. */
    readonly cache: string;
}

/** A build that has succeeded. */
interface KeptBuild {
    /** The folder of the finished site, which stays where it is. */
    readonly output: string;
    readonly cacheMegabytes: number;
    /** Called with the reason if a cache that is not empty is not kept. */
    readonly onLine: (line: string) => void;
}

/**
 * The packages and builders' own caches of each site. They are moved into the folders of a build, so that its limits
 * count them and no other build uses them, and back after it succeeded: a cache that makes builds fail is not used
 * again. Builds never run while files are moved.
 */
export class BuildCaches {
    /** @param folder contains a folder for each site */
    constructor(private readonly folder: string) {}

    /** Moves the site's packages into the home folder of a build. */
    async take(site: string, { cache, home }: CachedPlaces): Promise<void> {
        await moveFolder(join(this.folder, site), cache).catch(() => mkdir(cache));
        await replaceFile(join(cache, "home"), join(home, ".cache")).catch(() => mkdir(join(home, ".cache")));
    }

    /** Moves the folders of the site's builder into the checkout, unless the checkout has them. */
    async restoreFolders({ cache, base, root }: CachedPlaces): Promise<void> {
        // The installation may have replaced the folder by a link.
        if ((await realpath(base).catch(() => undefined)) !== base) {
            return;
        }
        for (const name of builderFolders) {
            const [kept, wanted] = [join(cache, nameOf(name)), join(base, name)];
            if (!(await isFolder(kept))) {
                continue;
            }
            // Links could lead out of the checkout.
            if (name.startsWith(".next/") || name.startsWith("_build/") || name.startsWith("resources/")) {
                await mkdir(dirname(wanted)).catch(() => undefined);
            }
            if ((await isInside(wanted, root)) && (await lstat(wanted).catch(() => "new")) === "new") {
                await replaceFile(kept, wanted).catch(() => undefined);
            }
        }
    }

    /** A shell's script that does the same as {@link restoreFolders} in a container; `$1` is the command's folder. */
    static restoreScript(cache: string): string {
        return builderFolders
            .map((name) => {
                const [kept, wanted] = [`'${join(cache, nameOf(name))}'`, `"$1/${name}"`];
                const isNew = `test -d ${kept} && test ! -e ${wanted}`;
                return `if ${isNew}; then { mkdir -p "$1/${dirname(name)}" && mv ${kept} ${wanted}; } || true; fi`;
            })
            .join("\n");
    }

    /**
     * Keeps the cache for the site's next build, unless it is empty or too large, or cannot be read or stored: the site
     * is built all the same.
     * @returns whether the cache was kept
     */
    async keep(site: string, places: CachedPlaces, { output, cacheMegabytes, onLine }: KeptBuild): Promise<boolean> {
        try {
            await this.#collect(places, output);
            if ((await readdir(places.cache)).length === 0) {
                return false;
            }
            const { bytes, isComplete } = await folderSize(places.cache);
            if (isComplete && bytes <= cacheMegabytes * 2 ** 20) {
                await this.#store(site, places.cache);
                return true;
            }
            onLine(isComplete ? cacheTooLarge(cacheMegabytes) : cacheNotKept("not all of its folders can be read"));
        } catch (error) {
            onLine(cacheNotKept(`it cannot be stored (${(error as NodeJS.ErrnoException).code ?? String(error)})`));
        }
        return false;
    }

    async #collect({ cache, base, home, root }: CachedPlaces, output: string): Promise<void> {
        await removeLeftovers(cache);
        await mkdir(cache);
        const candidates = builderFolders.map((name) => [join(base, name), nameOf(name)] as const);
        for (const [found, name] of [[join(home, ".cache"), "home"] as const, ...candidates]) {
            const isOwn = (await isInside(found, home)) || (await isInside(found, root));
            if (isOwn && (await isFolder(found)) && !isWithin(found, output) && !isWithin(output, found)) {
                await replaceFile(found, join(cache, name)).catch(() => undefined);
            }
        }
    }

    async #store(site: string, cache: string): Promise<void> {
        await mkdir(this.folder, { recursive: true, mode: 0o700 });
        const kept = join(this.folder, site);
        await removeLeftovers(kept);
        const now = new Date();
        await utimes(cache, now, now);
        await moveFolder(cache, kept);
    }
}

/** Moves a folder, also to another file system. The target exists only if everything was moved. */
async function moveFolder(from: string, to: string): Promise<void> {
    try {
        await replaceFile(from, to);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EXDEV") {
            throw error;
        }
        const copy = `${to}.copy`;
        await removeLeftovers(copy);
        try {
            await promisify(execFile)("cp", ["-a", "--", from, copy]);
            await replaceFile(copy, to);
        } finally {
            await Promise.all([copy, from].map(removeLeftovers));
        }
    }
}

function nameOf(folder: string): string {
    return folder.replaceAll("/", "+");
}

/** Whether the folder that contains a path is, without links, in another folder. */
async function isInside(path: string, folder: string): Promise<boolean> {
    const parent = await realpath(dirname(path)).catch(() => undefined);
    return parent !== undefined && isWithin(folder, parent);
}

async function isFolder(path: string): Promise<boolean> {
    return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}
