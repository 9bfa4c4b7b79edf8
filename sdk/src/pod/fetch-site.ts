import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withRetries } from "../http/retry.js";
import type { Clock } from "../time/clock.js";
import { BundleCache } from "./bundle-cache.js";
import { downloadOnce } from "./download-once.js";
import { PodError } from "./pod-error.js";
import type { PodSettings } from "./pod-settings.js";
import { type PreparedSite, prepareSite } from "./prepare-site.js";

interface PodContext {
    log: (text: string) => void;
    clock: Clock;
}

interface FetchedSite extends PreparedSite {
    isFromCache: boolean;
}

const maxRetryDelayMs = 20_000;

/** The folders that nginx serves or reads. */
const made = ["public", "private", "access", "redirects"] as const;

/**
 * Fetches the export of the settings into the site's folder: `public` has exactly the files for everybody, `private`
 * the others, `access` and `redirects` entries for maps of nginx.conf. Writes `export-id` last, which marks the site as
 * complete. If the download fails, serves the cached copy of this export.
 * @throws PodError when there is no site to serve; nothing is then left in the folder
 */
export async function fetchSite(settings: PodSettings, { log, clock }: PodContext): Promise<void> {
    const { siteFolder, workFolder, exportId } = settings;
    const inSite = (name: string) => join(siteFolder, name);
    // After a node restart, the init container runs again in the same pod, and the link may have expired by then.
    if (existsSync(inSite("export-id")) && readFileSync(inSite("export-id"), "utf8") === exportId) {
        log("This pod's site is already unpacked: nothing to fetch.");
        return;
    }
    for (const name of [...made, "healthz.json", "fetched.json", "export-id", ".work"]) {
        rmSync(inSite(name), { recursive: true, force: true });
    }
    mkdirSync(workFolder);
    try {
        const fetch = new SiteFetch(settings, { log, clock });
        const { publicFiles, privateFiles, isFromCache } = await fetch.run();
        for (const name of made.filter((each) => existsSync(join(workFolder, each)))) {
            renameSync(join(workFolder, name), inSite(name));
        }
        const fetched = { attempts: fetch.attempts, bytes: statSync(fetch.path).size, from_cache: isFromCache ? 1 : 0 };
        writeFileSync(inSite("healthz.json"), `${settings.healthz}\n`);
        writeFileSync(inSite("fetched.json"), `${JSON.stringify(fetched)}\n`);
        writeFileSync(inSite("export-id"), exportId);
        log(`Unpacked ${publicFiles} files for everybody. Ready to serve.`);
        if (privateFiles > 0) {
            log(`${privateFiles} files are for readers in certain groups.`);
        }
    } finally {
        rmSync(workFolder, { recursive: true, force: true });
    }
}

class SiteFetch {
    /** The archive. */
    readonly path: string;
    attempts = 0;
    readonly #settings: PodSettings;
    readonly #context: PodContext;
    readonly #cache: BundleCache | undefined;

    constructor(settings: PodSettings, context: PodContext) {
        const { workFolder, cacheFolder, exportId } = settings;
        this.path = join(workFolder, "bundle.tar.gz");
        this.#settings = settings;
        this.#context = context;
        this.#cache = cacheFolder === undefined ? undefined : new BundleCache(cacheFolder, exportId, context.log);
    }

    async run(): Promise<FetchedSite> {
        const site = await this.#download().catch((error: unknown) => {
            if (!(error instanceof PodError) || this.#cache === undefined) {
                throw error;
            }
            return this.#load(this.#cache, error);
        });
        this.#cache?.shareThemeFiles(join(this.#settings.workFolder, "public"));
        return site;
    }

    async #download(): Promise<FetchedSite> {
        const { log, clock } = this.#context;
        const { host, sizeBytes, sha256 } = await withRetries(
            () => {
                this.attempts += 1;
                return downloadOnce(this.path, this.#settings);
            },
            { clock, delayMs: (error) => this.#delayAfter(error) },
        );
        const archive = { path: this.path, sha256 };
        const site = await prepareSite(archive, this.#settings, log);
        log(`Fetched ${sizeBytes} bytes from ${host}, SHA-256 ${sha256}.`);
        this.#cache?.save(archive);
        return { ...site, isFromCache: false };
    }

    #delayAfter(error: unknown): number | undefined {
        const { attempts, retryDelayMs } = this.#settings;
        if (!(error instanceof PodError && error.isTransient) || this.attempts >= attempts) {
            return undefined;
        }
        const delayMs = Math.min(retryDelayMs * 2 ** (this.attempts - 1), maxRetryDelayMs);
        const again = `Trying again in ${delayMs / 1000} s.`;
        this.#context.log(`Attempt ${this.attempts} of ${attempts}: ${error.reason} ${again}`);
        return delayMs;
    }

    /** @throws PodError with the reason of the failed download when no copy is usable */
    async #load(cache: BundleCache, { reason, advice }: PodError): Promise<FetchedSite> {
        const { log } = this.#context;
        for await (const { sha256 } of cache.copyEach(this.path)) {
            try {
                const site = await prepareSite({ path: this.path, sha256 }, this.#settings, log);
                log(
                    `SERVING FROM THE CACHE: ${reason} The cache contains this exact export (SHA-256 ${sha256}), so ` +
                        "the site is complete. Renew the link ('pulumi up') for pods that do not share this cache.",
                );
                return { ...site, isFromCache: true };
            } catch (error) {
                if (!(error instanceof PodError)) {
                    throw error;
                }
                log(`A cached copy is not usable: ${error.reason}`);
            }
        }
        throw new PodError(`${reason} The cache does not contain this export either.`, advice);
    }
}
