import { createHash } from "node:crypto";
import {
    copyFileSync,
    createReadStream,
    existsSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    renameSync,
    rmSync,
    statSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";

/** Partial files of pods that were killed while copying. */
const abandonedMs = 24 * 60 * 60 * 1000;
const themeFileMs = 30 * 24 * 60 * 60 * 1000;
const maxThemeFiles = 500;
/** How many bundles stay in the cache in addition to the pod's own, the newest ones. */
const maxOthers = 2;
/** The theme's files, whose names contain the beginning of their SHA-256. */
const themeFile = /^(?:.*\/)?static-export\/(?:.*\/)?[^/]*\.([0-9a-f]{8})\.(?:css|js)$/;
const copyName = /^[0-9a-f]+\.[0-9a-f]+\.tar\.gz$/;

/** Bundles on a volume that pods share. Failures to write are logged only: later pods then lose their fallback. */
export class BundleCache {
    readonly #folder: string;
    readonly #exportId: string;
    readonly #log: (text: string) => void;

    constructor(folder: string, exportId: string, log: (text: string) => void) {
        this.#folder = folder;
        this.#exportId = exportId;
        this.#log = log;
    }

    /** Keeps one copy of each export, even if the platform packs the export again with different bytes. */
    save({ path, sha256 }: { path: string; sha256: string }): void {
        const partial = join(this.#folder, `.${this.#exportId}.${hostname()}`);
        const kept = `${this.#exportId}.${sha256}.tar.gz`;
        try {
            mkdirSync(this.#folder, { recursive: true });
            copyFileSync(path, partial);
            renameSync(partial, join(this.#folder, kept));
        } catch {
            if (existsSync(partial)) {
                rmSync(partial);
            }
            const why = "full, read-only, or not writable by the pods' user?";
            this.#log(`Warning: could not save the bundle in the cache (${why}).`);
            return;
        }
        this.#log("Saved the bundle in the cache.");
        try {
            this.#prune(kept);
        } catch {
            this.#log("Warning: could not remove older bundles from the cache, which may fill up.");
        }
    }

    /** Copies each intact copy of the export to `path` in turn. The digest in a name shows damage since it was saved. */
    async *copyEach(path: string): AsyncGenerator<{ sha256: string }> {
        for (const name of this.#names().filter((each) => each.startsWith(`${this.#exportId}.`))) {
            const saved = name.slice(this.#exportId.length + 1, -".tar.gz".length);
            try {
                copyFileSync(join(this.#folder, name), path);
            } catch {
                continue;
            }
            const read = await digestOf(path);
            if (read === saved) {
                yield { sha256: saved };
            } else {
                const was = `its SHA-256 was ${saved} when it was saved, and is now ${read}`;
                this.#log(`A cached copy is damaged: ${was}.`);
            }
        }
    }

    /**
     * Readers who opened a page of the previous export request its styles and scripts from pods with the new export,
     * too. The cache keeps an export's theme files for 30 days after the last pod has started with that export.
     */
    shareThemeFiles(site: string): void {
        const shared = join(this.#folder, "hashed");
        try {
            for (const file of themeFilesIn(site)) {
                const partial = join(shared, `.${hostname()}`);
                mkdirSync(dirname(join(shared, file)), { recursive: true });
                copyFileSync(join(site, file), partial);
                renameSync(partial, join(shared, file));
            }
        } catch {
            // As with the bundle, a cache that cannot be written costs later pods only.
        }
        for (const file of existsSync(shared) ? themeFilesIn(shared) : []) {
            this.#takeThemeFile(join(shared, file), join(site, file));
        }
    }

    #takeThemeFile(shared: string, target: string): void {
        try {
            if (Date.now() - statSync(shared).mtimeMs > themeFileMs) {
                rmSync(shared);
            } else if (!existsSync(target) && existsSync(dirname(target))) {
                const content = readFileSync(shared);
                const digest = createHash("sha256").update(content).digest("hex");
                if (digest.startsWith(themeFile.exec(shared)?.[1] ?? "-")) {
                    copyFileSync(shared, target);
                }
            }
        } catch {
            // Another pod has removed it.
        }
    }

    #names(): string[] {
        return existsSync(this.#folder) && statSync(this.#folder).isDirectory() ? readdirSync(this.#folder) : [];
    }

    #prune(kept: string): void {
        const copies = this.#names().filter((name) => copyName.test(name) && name !== kept);
        const [same, others] = [true, false].map((isSame) =>
            copies.filter((name) => name.startsWith(`${this.#exportId}.`) === isSame),
        ) as [string[], string[]];
        const modified = (name: string) => statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
        const oldest = others.sort((one, other) => modified(other) - modified(one)).slice(maxOthers);
        const abandoned = this.#names().filter(
            (name) => name.startsWith(".") && Date.now() - modified(name) > abandonedMs,
        );
        for (const name of [...same, ...oldest, ...abandoned]) {
            rmSync(join(this.#folder, name), { force: true });
        }
    }
}

async function digestOf(path: string): Promise<string> {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
        hash.update(chunk);
    }
    return hash.digest("hex");
}

function themeFilesIn(folder: string): string[] {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => themeFile.test(file))
        .slice(0, maxThemeFiles);
}
