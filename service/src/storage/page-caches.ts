import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { isUnfinished } from "@pulumi-static-export/exporter";
import { type ServiceLogger } from "../shared/logger.js";
import { type BetweenBatches } from "./batches.js";
import { type CacheFile, type PageCacheRecords } from "./page-cache-records.js";
import { type S3Bucket } from "./s3-bucket.js";
import { digestOf } from "../shared/digest.js";

/** A worker that is presumed dead may still upload for this long. */
const minAgeMs = 3_600_000;

interface PageCachesOptions {
    bucket: Pick<S3Bucket, "get" | "put" | "remove">;
    records: PageCacheRecords;
    logger: ServiceLogger;
}

/**
 * The page caches of domains in the bucket, for workers that have not exported a site before. The caches only save
 * time: failed uploads are skipped, and missing or damaged files are ignored.
 */
export class PageCaches {
    readonly #options: PageCachesOptions;

    constructor(options: PageCachesOptions) {
        this.#options = options;
    }

    /** Fills the domain's folder, if it is empty, from the last export on any worker. Never rejects. */
    async restore(domain: string, folder: string, signal: AbortSignal): Promise<void> {
        const { bucket, records } = this.#options;
        await this.#try(
            `The page cache of ${domain} could not be fetched, so all pages are rendered`,
            signal,
            async () => {
                if ((await readdir(folder)).length > 0) {
                    return;
                }
                await withFolderBeside(folder, async (beside) => {
                    const files = await records.current(domain);
                    for (const file of files) {
                        const packed = join(beside, "packed");
                        await bucket.get(nameOf(file), packed, signal);
                        if ((await digestOf(createReadStream(packed))) !== file.sha256) {
                            throw new Error(`${file.file} is damaged`);
                        }
                        await pipeline(
                            createReadStream(packed),
                            createGunzip(),
                            createWriteStream(join(beside, `whole ${basename(file.file)}`), { mode: 0o600 }),
                            { signal },
                        );
                    }
                    for (const { file } of files) {
                        await replaceFile(join(beside, `whole ${basename(file)}`), join(folder, basename(file)));
                    }
                });
            },
        );
    }

    /** Lets a round of the retention remove the domain's cache. */
    async forget(domain: string): Promise<void> {
        await this.#options.records.replace(domain, []);
    }

    /** Stores the domain's folder, if it has changed. Never rejects. */
    async keep(domain: string, folder: string, signal: AbortSignal): Promise<void> {
        const { bucket, records } = this.#options;
        await this.#try(`The page cache of ${domain} could not be stored`, signal, async () => {
            const stored = new Set((await records.current(domain)).map(({ sha256 }) => sha256));
            const names = (await readdir(folder)).filter((name) => !isUnfinished(name));
            await withFolderBeside(folder, async (beside) => {
                const files: CacheFile[] = [];
                for (const name of names) {
                    const packed = join(beside, name);
                    const whole = createReadStream(join(folder, name));
                    await pipeline(whole, createGzip({ level: 1 }), createWriteStream(packed), { signal });
                    const { size } = await stat(packed);
                    const file = {
                        domain,
                        file: name,
                        sha256: await digestOf(createReadStream(packed)),
                        sizeBytes: size,
                    };
                    if (!stored.has(file.sha256)) {
                        await records.record(file);
                        await bucket.put(nameOf(file), packed, file, signal);
                    }
                    files.push(file);
                }
                if (files.some(({ sha256 }) => !stored.has(sha256)) || files.length !== stored.size) {
                    await records.replace(domain, files);
                }
            });
        });
    }

    /** Removes the files that no cache needs any more. */
    async removeOutdated(betweenBatches: BetweenBatches): Promise<void> {
        const { bucket, records } = this.#options;
        const remove = (files: readonly CacheFile[]) => bucket.remove(files.map(nameOf));
        await records.removeOutdated(minAgeMs, remove, betweenBatches);
    }

    async #try(what: string, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
        try {
            await act();
        } catch (error) {
            if (!signal.aborted) {
                this.#options.logger.error(`${what}: ${error instanceof Error ? error.message : String(error)}`);
            }
        }
    }
}

function nameOf({ domain, sha256 }: CacheFile): string {
    return `caches/${domain}/${sha256}.gz`;
}

/** Creates a temporary folder on the same disk, so that files can be moved between the folders. */
async function withFolderBeside(folder: string, use: (beside: string) => Promise<void>): Promise<void> {
    await mkdir(folder, { recursive: true });
    const beside = await mkdtemp(`${folder}-`);
    try {
        await use(beside);
    } finally {
        await rm(beside, { recursive: true, force: true });
    }
}
