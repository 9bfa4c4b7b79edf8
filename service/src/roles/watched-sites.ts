import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Site } from "../exports/site.js";
import { type ServiceLogger } from "../shared/logger.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { resolveSites } from "./service-options.js";

/**
 * How long a job waits for its site: workers may get the new file later than the API, because Kubernetes updates a
 * mounted ConfigMap on each node within a minute or two.
 */
const maxLagMs = 120_000;

export interface WatchedSitesOptions {
    /** @default none */
    sites?: Readonly<Record<string, string>> | undefined;
    /** A file with further sites, one per line. @default none */
    sitesFile?: string | undefined;
    /** @throws ServiceOptionsError for sites that conflict with other options */
    check: (sites: ReadonlyMap<string, Site>) => void;
    logger: ServiceLogger;
    /** How often the file is read. @default 5000 */
    checkMs?: number;
}

/** The sites of the options and of a file that is read again while the process runs. */
export class WatchedSites {
    readonly #options: WatchedSitesOptions;
    readonly #checkMs: number;
    readonly #sites = new Map<string, Site>();
    #text: string | undefined;
    #failure: string | undefined;
    #timer: NodeJS.Timeout | undefined;

    /** @throws ServiceOptionsError */
    constructor(options: WatchedSitesOptions) {
        this.#options = options;
        this.#checkMs = options.checkMs ?? 5000;
        this.#text = this.#read();
        this.#replace(this.#text);
    }

    /** By canonical domain. Always the same map; its entries change with the file. */
    get sites(): ReadonlyMap<string, Site> {
        return this.#sites;
    }

    start(): void {
        if (this.#options.sitesFile !== undefined) {
            this.#timer = setInterval(() => this.reload(), this.#checkMs);
        }
    }

    close(): void {
        clearInterval(this.#timer);
    }

    /** Reads the file again. If the file is invalid, the sites do not change, and the log says why. */
    reload(): void {
        const { sitesFile, logger } = this.#options;
        try {
            const text = this.#read();
            if (text !== this.#text) {
                this.#replace(text);
                this.#text = text;
                logger.info(`Sites file ${sitesFile} has changed: ${this.#sites.size} sites.`);
            }
            this.#failure = undefined;
        } catch (error) {
            const { message } = error as Error;
            if (message !== this.#failure) {
                this.#failure = message;
                logger.error(`The sites stay as they were, until the file is corrected: ${message}`);
            }
        }
    }

    /** Returns the site of a domain; waits for a missing site if a file may still add it. */
    async find(domain: string, signal: AbortSignal): Promise<Site | undefined> {
        const isWatched = this.#options.sitesFile !== undefined;
        for (
            let waitedMs = 0;
            isWatched && waitedMs < maxLagMs && !this.#sites.has(domain);
            waitedMs += this.#checkMs
        ) {
            await delay(this.#checkMs, undefined, { signal });
            this.reload();
        }
        return this.#sites.get(domain);
    }

    #read(): string {
        const { sitesFile } = this.#options;
        try {
            return sitesFile === undefined ? "" : readFileSync(sitesFile, "utf8");
        } catch (error) {
            const { code = "unknown error" } = error as NodeJS.ErrnoException;
            throw new ServiceOptionsError(`Sites file ${sitesFile} cannot be read (${code}).`);
        }
    }

    #replace(text: string): void {
        const { sites: given = {}, sitesFile = "", check } = this.#options;
        const sites = resolveSites([...Object.entries(given), ...parseSitesFile(text, sitesFile)]);
        check(sites);
        this.#sites.clear();
        sites.forEach((site, domain) => this.#sites.set(domain, site));
    }
}

/** Parses lines such as `docs.example.com=./docs`; ignores empty lines and lines that begin with `#`. */
function parseSitesFile(text: string, file: string): [address: string, place: string][] {
    return text.split("\n").flatMap((each, index): [string, string][] => {
        const line = each.trim();
        if (line === "" || line.startsWith("#")) {
            return [];
        }
        const [, address, place] = /^([^=]+)=(.+)$/.exec(line) ?? [];
        if (address === undefined || place === undefined) {
            throw new ServiceOptionsError(
                `Sites file ${file}, line ${index + 1}: write it as docs.example.com=./docs, or as ` +
                    "docs.example.com=git+https://git.example.com/acme/docs.git#main:guides.",
            );
        }
        return [[address, place]];
    });
}
