import { accessFile } from "@pulumi-static-export/contract";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Archive, type BundleStorage } from "../storage/bundle-storage.js";
import { readBundle } from "./read-bundle.js";

/** Why a site cannot be opened; the message says what to do. */
export class OpenSiteError extends Error {
    override readonly name = "OpenSiteError";
}

interface OpenedSitesOptions {
    /** Contains the unpacked sites; nothing else uses it, and it is emptied before the first use. */
    folder: string;
    bundles: Pick<BundleStorage, "read">;
    /** Aborted when the service closes. */
    closing: AbortSignal;
    /** The limit for all unpacked sites together. @default 512 MB */
    maxBytes?: number;
}

interface Opened {
    bytes: number;
    folder: string;
}

const defaultMaxBytes = 512 * 1000 * 1000;
const maxFiles = 100_000;
const timeLimitMs = 120_000;

/** The unpacked bundles that people look at. The least recently used ones are removed. */
export class OpenedSites {
    readonly #options: OpenedSitesOptions;
    readonly #maxBytes: number;
    /** The most recently used last. */
    readonly #sites = new Map<string, Opened>();
    /** One bundle at a time is unpacked. */
    #turn: Promise<unknown>;
    #isEmptied = false;

    constructor(options: OpenedSitesOptions) {
        this.#options = options;
        this.#maxBytes = options.maxBytes ?? defaultMaxBytes;
        this.#turn = Promise.resolve();
    }

    /** The folder with the site's files. @throws OpenSiteError */
    async open(archive: Archive): Promise<string> {
        const known = this.#use(archive.sha256);
        if (known !== undefined) {
            return known;
        }
        const turn = this.#turn.then(async () => this.#use(archive.sha256) ?? (await this.#unpack(archive)));
        this.#turn = turn.catch(() => undefined);
        return turn;
    }

    async close(): Promise<void> {
        await this.#turn;
        if (this.#isEmptied) {
            await rm(this.#options.folder, { recursive: true, force: true });
        }
    }

    #use(sha256: string): string | undefined {
        const site = this.#sites.get(sha256);
        if (site !== undefined) {
            this.#sites.delete(sha256);
            this.#sites.set(sha256, site);
        }
        return site?.folder;
    }

    async #unpack(archive: Archive): Promise<string> {
        const { folder: all, bundles } = this.#options;
        if (!this.#isEmptied) {
            await rm(all, { recursive: true, force: true });
            this.#isEmptied = true;
        }
        const content = await bundles.read(archive);
        if (typeof content === "string") {
            throw new OpenSiteError(`The bundle is ${content}: export the site again.`);
        }
        const unfinished = join(all, "unfinished");
        await rm(unfinished, { recursive: true, force: true });
        await mkdir(unfinished, { recursive: true, mode: 0o700 });
        const signal = AbortSignal.any([this.#options.closing, AbortSignal.timeout(timeLimitMs)]);
        let bytes = 0;
        let files = 0;
        for await (const file of readBundle(content, signal)) {
            bytes += file.sizeBytes;
            files += 1;
            if (bytes > this.#maxBytes || files > maxFiles) {
                throw new OpenSiteError(
                    `The site is too large to be opened here (${this.#maxBytes / 1e6} MB): download its bundle instead.`,
                );
            }
            if (isPlainPath(file.path)) {
                const path = join(unfinished, file.path);
                await mkdir(dirname(path), { recursive: true, mode: 0o700 });
                await pipeline(file.stream, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal });
            }
        }
        await this.#makeRoom(bytes);
        const folder = join(all, archive.sha256);
        await replaceFile(unfinished, folder);
        this.#sites.set(archive.sha256, { bytes, folder });
        return folder;
    }

    async #makeRoom(bytes: number): Promise<void> {
        let used = [...this.#sites.values()].reduce((sum, site) => sum + site.bytes, bytes);
        for (const [sha256, site] of this.#sites) {
            if (used <= this.#maxBytes) {
                return;
            }
            this.#sites.delete(sha256);
            used -= site.bytes;
            await rm(site.folder, { recursive: true, force: true });
        }
    }
}

/** Whether a path of a bundle, or of a request, stays below its folder on every system. */
function isPlainPath(path: string): boolean {
    // eslint-disable-next-line no-control-regex
    return path.split("/").every((part) => part !== "" && !/^\.+$|[\\:\u0000-\u001f]/.test(part));
}

/** The file that answers a path, as the charts' servers choose it; undefined if there is none. */
export async function findFile(folder: string, path: string): Promise<string | undefined> {
    const name = path.replace(/\/$/, "");
    const candidates = name === "" ? ["index.html"] : [name, `${name}.html`, `${name}/index.html`];
    for (const candidate of candidates) {
        // Only servers read the list of private files.
        if (isPlainPath(candidate) && candidate !== accessFile) {
            const found = await stat(join(folder, candidate)).catch(() => undefined);
            if (found?.isFile()) {
                return candidate;
            }
        }
    }
    return undefined;
}
