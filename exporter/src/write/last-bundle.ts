import { createHash } from "node:crypto";
import { constants, createReadStream, createWriteStream, renameSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type SourceState } from "../plan/site-sources.js";
import { type SiteWarning } from "../problems/warnings.js";
import { readCheckedFile, unfinishedPath, writeCheckedFile } from "../read/files/checked-file.js";
import { type BundleInfo } from "./output/archive-output.js";

/** Facts about the pages of a bundle. */
interface Pages {
    readonly pageCount: number;
    /** The number of pages that were not rendered. */
    readonly reusedCount: number;
}

interface Entry<Bundle> {
    /** A digest of everything that the bundle depends on. */
    readonly key: string;
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
        private readonly key: string,
        private readonly sources: SourceState,
    ) {}

    /** @param settings everything else that the bundle depends on, as JSON */
    static open<Bundle extends BundleInfo & Pages>(
        cacheDir: string,
        settings: { readonly domain: string },
        state: SourceState,
    ): LastBundle<Bundle> {
        // Another version of Node.js may compress differently.
        const parts = [JSON.stringify(settings), process.version, state.digest];
        const key = createHash("sha256").update(parts.join("\0")).digest("hex");
        return new LastBundle<Bundle>(join(cacheDir, `${encodeURIComponent(settings.domain)}.bundle`), key, state);
    }

    /**
     * Copies the bundle to the path if the bundle was written from these sources.
     * @param onWarning called with each place of a warning, as during the export
     */
    async copyTo(path: string, onWarning: (warning: SiteWarning) => void): Promise<Bundle | undefined> {
        const content = readCheckedFile(this.#entryPath);
        const entry = content && (JSON.parse(content.toString("utf8")) as Entry<Bundle>);
        if (entry?.key !== this.key || !(await copyIfWhole(this.path, path, entry.bundle))) {
            return undefined;
        }
        entry.places.forEach(onWarning);
        return { ...entry.bundle, reusedCount: entry.bundle.pageCount };
    }

    addPlace(warning: SiteWarning): void {
        if (this.#places.length <= maxPlaces) {
            this.#places.push(warning);
        }
    }

    /** Stores the bundle, unless a file of the site has changed since the export began. */
    async save(path: string, bundle: Bundle): Promise<void> {
        if (this.#places.length > maxPlaces || !this.sources.wasCurrent) {
            return;
        }
        const unfinished = unfinishedPath(this.path);
        try {
            await copyFile(path, unfinished, constants.COPYFILE_FICLONE);
            renameSync(unfinished, this.path);
        } catch (error) {
            rmSync(unfinished, { force: true });
            throw error;
        }
        const entry: Entry<Bundle> = { key: this.key, bundle, places: this.#places };
        await writeCheckedFile(this.#entryPath, [JSON.stringify(entry)]);
    }

    get #entryPath(): string {
        return `${this.path}.json`;
    }
}

async function copyIfWhole(from: string, to: string, { sha256 }: BundleInfo): Promise<boolean> {
    const unfinished = `${to}.partial`;
    const hash = createHash("sha256");
    try {
        await pipeline(
            createReadStream(from),
            async function* (chunks: AsyncIterable<Buffer>) {
                for await (const chunk of chunks) {
                    hash.update(chunk);
                    yield chunk;
                }
            },
            createWriteStream(unfinished),
        );
    } catch (error) {
        rmSync(unfinished, { force: true });
        if ((error as NodeJS.ErrnoException).code === "ENOENT") {
            return false;
        }
        throw error;
    }
    if (hash.digest("hex") !== sha256) {
        rmSync(unfinished, { force: true });
        return false;
    }
    renameSync(unfinished, to);
    return true;
}
