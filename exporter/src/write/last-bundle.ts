import { createHash, hash } from "node:crypto";
import { constants, createReadStream, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { type SourceState } from "../plan/site-sources.js";
import { type SiteWarning } from "../problems/warning-log.js";
import { readCheckedFile, unfinishedPath, writeCheckedFile } from "../read/files/checked-file.js";
import { type BundleInfo } from "./output/archive-output.js";

/** Facts about the pages of a bundle. */
interface Pages {
    readonly pageCount: number;
    /** The number of pages that were not rendered. */
    readonly reusedCount: number;
}

interface Entry<Bundle> {
    /** Digests of everything that the bundle depends on. */
    readonly keys: readonly string[];
    readonly bundle: Bundle;
    readonly places: readonly SiteWarning[];
}

/** The maximum number of stored warnings; a site with more warnings is exported each time. */
const maxPlaces = 2000;

/**
 * Stores the bundle of a domain's last export, to return it for the next export if nothing has changed. A damaged
 * bundle only costs time.
 */
export class LastBundle<Bundle extends BundleInfo & Pages> {
    readonly #places: SiteWarning[] = [];

    private constructor(
        private readonly path: string,
        private readonly settings: string,
        private readonly last: Partial<Entry<Bundle>>,
    ) {}

    /** @param settings everything that the bundle depends on except the sources, as JSON */
    static open<Bundle extends BundleInfo & Pages>(
        cacheDir: string,
        settings: { readonly domain: string },
    ): LastBundle<Bundle> {
        const path = join(cacheDir, `${encodeURIComponent(settings.domain)}.bundle`);
        const entry = readCheckedFile(entryOf(path))?.toString("utf8") ?? "{}";
        return new LastBundle(path, JSON.stringify(settings), JSON.parse(entry) as Partial<Entry<Bundle>>);
    }

    /**
     * Copies the bundle to the path if the bundle was written from sources with one of these digests.
     * @param onWarning called with each place of a warning, as during the export
     */
    async copyTo(
        path: string,
        digests: readonly string[],
        onWarning: (warning: SiteWarning) => void,
    ): Promise<Bundle | undefined> {
        const { keys = [], bundle, places = [] } = this.last;
        const known = this.#keysOf(digests).filter((key) => keys.includes(key));
        if (bundle === undefined || known.length === 0 || !(await copyIfWhole(this.path, path, bundle))) {
            return undefined;
        }
        places.forEach(onWarning);
        if (known.length < digests.length) {
            // The next export then reads the files again.
            await this.#writeEntry(digests, bundle, places).catch(() => undefined);
        }
        return { ...bundle, reusedCount: bundle.pageCount };
    }

    addPlace(warning: SiteWarning): void {
        if (this.#places.length <= maxPlaces) {
            this.#places.push(warning);
        }
    }

    /** Stores the bundle, unless a file of the site has changed since the export began. */
    async save(path: string, bundle: Bundle, sources: SourceState): Promise<void> {
        if (this.#places.length > maxPlaces || !sources.wasCurrent) {
            return;
        }
        const unfinished = unfinishedPath(this.path);
        try {
            await copyFile(path, unfinished, constants.COPYFILE_FICLONE);
            await replaceFile(unfinished, this.path);
        } catch (error) {
            rmSync(unfinished, { force: true });
            throw error;
        }
        await this.#writeEntry(sources.digests, bundle, this.#places);
    }

    async #writeEntry(digests: readonly string[], bundle: Bundle, places: readonly SiteWarning[]): Promise<void> {
        const entry: Entry<Bundle> = { keys: this.#keysOf(digests), bundle, places };
        await writeCheckedFile(entryOf(this.path), [JSON.stringify(entry)]);
    }

    #keysOf(digests: readonly string[]): string[] {
        // Another version of Node.js may compress differently.
        return digests.map((digest) => hash("sha256", [this.settings, process.version, digest].join("\0")));
    }
}

/** The file that describes a bundle. */
function entryOf(path: string): string {
    return `${path}.json`;
}

async function copyIfWhole(from: string, to: string, { sha256 }: BundleInfo): Promise<boolean> {
    const unfinished = `${to}.partial`;
    try {
        await copyFile(from, unfinished, constants.COPYFILE_FICLONE);
    } catch (error) {
        rmSync(unfinished, { force: true });
        if ((error as NodeJS.ErrnoException).code === "ENOENT") {
            return false;
        }
        throw error;
    }
    const digest = createHash("sha256");
    await pipeline(createReadStream(unfinished, { highWaterMark: blockBytes }), digest);
    if (digest.digest("hex") !== sha256) {
        rmSync(unfinished, { force: true });
        return false;
    }
    await replaceFile(unfinished, to);
    return true;
}

/** With smaller blocks, reading a bundle takes more time than its checksum. */
const blockBytes = 1024 * 1024;
