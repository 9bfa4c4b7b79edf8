import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { amount, canonicalDomain } from "@pulumi-static-export/contract";
import { createRealPlace, decodeText } from "@pulumi-static-export/exporter";
import { type Site } from "../exports/site.js";
import { type ServiceLogger } from "../shared/logger.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { findMissingFolder, resolveSite } from "./service-options.js";
import { parseSitesFile, type SiteEntry } from "./sites-file.js";

/**
 * How long a job waits for its site: workers may get the new file later than the API, because Kubernetes updates a
 * mounted ConfigMap on each node within a minute or two.
 */
const maxLagMs = 120_000;

export interface WatchedSitesOptions {
    /** @default none */
    sites?: Readonly<Record<string, string>> | undefined;
    /**
     * A file with further sites, one per line, such as `docs.example.com=./docs`, or as YAML or JSON.
     * @default none
     */
    sitesFile?: string | undefined;
    /** Checks all sites together. @throws ServiceOptionsError if they conflict with other options. @default nothing */
    check?: (sites: ReadonlyMap<string, Site>) => void;
    /**
     * Checks one site; `realPlace` lists each folder once for all sites.
     * @throws ServiceOptionsError if the site conflicts with other options
     * @default nothing
     */
    checkSite?: (domain: string, site: Site, realPlace: (path: string) => string) => void;
    logger: ServiceLogger;
    /** How often the file is read. @default 5000 */
    checkMs?: number;
}

/** An entry of the sites file that is wrong. */
interface SiteFault {
    /** As far as the entry says it. */
    readonly domain: string;
    /** File, line, and what is wrong. */
    readonly text: string;
    readonly entry: SiteEntry;
}

/** The sites of the options and of a file that is read again while the process runs. */
export class WatchedSites {
    readonly #options: WatchedSitesOptions;
    readonly #checkMs: number;
    /** The sites of the options, which never change. */
    readonly #given: ReadonlyMap<string, Site>;
    readonly #sites = new Map<string, Site>();
    #faults: readonly SiteFault[] = [];
    /** The places of the file's entries that are right, by domain. */
    #places: ReadonlyMap<string, string> = new Map();
    #text: string | undefined;
    #failure: string | undefined;
    #timer: NodeJS.Timeout | undefined;

    /** @throws ServiceOptionsError if the file cannot be read or names no site, or if a site of the options is wrong */
    constructor(options: WatchedSitesOptions) {
        this.#options = options;
        this.#checkMs = options.checkMs ?? 5000;
        this.#given = readOptions(options);
        this.#text = this.#read();
        this.#replace(this.#text);
    }

    /** What is wrong with entries of the file, or with the whole file, which then has no effect. */
    get faults(): readonly string[] {
        const texts = this.#faults.map(({ text }) => text);
        return this.#failure === undefined ? texts : [this.#failure, ...texts];
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

    /**
     * Reads the file again. A wrong line affects only its own site, which stays as it was; the log says what is wrong.
     * If the file is empty, cannot be read, or has no line that is right, all sites stay as they were.
     */
    reload(): void {
        const { sitesFile, logger } = this.#options;
        try {
            const text = this.#read();
            const isChanged = text !== this.#text;
            if (isChanged || this.#haveFaultsChanged()) {
                this.#replace(text);
                this.#text = text;
            }
            if (isChanged) {
                logger.info(`Sites file ${sitesFile} has changed: ${amount(this.#sites.size, "site", "sites")}.`);
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
            return sitesFile === undefined ? "" : decodeText(readRegularFile(sitesFile));
        } catch (error) {
            const { code = "unknown error" } = error as NodeJS.ErrnoException;
            throw new ServiceOptionsError(
                `Sites file ${sitesFile} cannot be read (${code}): check its path, and that this user may read it.`,
            );
        }
    }

    #replace(text: string): void {
        const { sitesFile, check, logger } = this.#options;
        const entries = parseSitesFile(text, `Sites file ${sitesFile}`);
        const { found, faults, places } = this.#readEntries(entries);
        const [fault] = faults;
        if (places.size === 0 && fault !== undefined && this.#sites.size > this.#given.size) {
            throw new ServiceOptionsError(
                faults.length === 1
                    ? fault.text
                    : `None of ${faults.length} lines or entries names a site. ${fault.text}`,
            );
        }
        const all = new Map([...this.#given, ...found]);
        if (all.size === 0 && faults.length === 0) {
            throw new ServiceOptionsError("No site is given: name at least one domain and its folder.");
        }
        // An emptied file is a mistake more often than a wish.
        if (found.size === 0 && faults.length === 0 && this.#sites.size > this.#given.size) {
            throw new ServiceOptionsError(`${sitesFile} names no site. To remove all its sites, restart the service.`);
        }
        check?.(all);
        const known = new Set(this.#faults.map((fault) => fault.text));
        this.#faults = faults;
        this.#places = places;
        faults
            .filter((fault) => !known.has(fault.text))
            .forEach(({ domain, text: what }) => logger.error(`${what} Other sites are not affected.`, { domain }));
        this.#sites.clear();
        all.forEach((site, domain) => this.#sites.set(domain, site));
    }

    /**
     * Reads only the wrong entries of a file that has not changed again: reading all of many sites would keep this
     * process from answering.
     */
    #haveFaultsChanged(): boolean {
        const { faults } = this.#readEntries(
            this.#faults.map(({ entry }) => entry),
            new Map(this.#places),
        );
        return faults.length !== this.#faults.length || faults.some(({ text }, at) => text !== this.#faults[at]?.text);
    }

    /**
     * Reads the sites of entries; a site with a wrong entry stays as it was.
     *
     * @param places - where other entries name sites; gets those of entries that are right, even if a folder is missing
     */
    #readEntries(
        entries: readonly SiteEntry[],
        places = new Map<string, string>(),
    ): { found: Map<string, Site>; faults: SiteFault[]; places: ReadonlyMap<string, string> } {
        const { sitesFile, checkSite } = this.#options;
        const found = new Map<string, Site>();
        const faults: SiteFault[] = [];
        const realPlace = createRealPlace();
        for (const entry of entries) {
            const { where, address, source, build } = entry;
            const report = (domain: string, message: string): void =>
                void faults.push({ domain, text: `Sites file ${sitesFile}, ${where}: ${message}`, entry });
            try {
                if (source === undefined) {
                    throw new ServiceOptionsError(howToWrite);
                }
                const { domain, site } = resolveSite(address, source, build);
                const first = places.get(domain);
                if ((first !== undefined && first !== where) || this.#given.has(domain)) {
                    throw new ServiceOptionsError(
                        `Site ${domain} is given twice: it is also in ${first ?? "an option"}.`,
                    );
                }
                checkSite?.(domain, site, realPlace);
                places.set(domain, where);
                const missing = findMissingFolder(domain, site);
                if (missing !== undefined) {
                    report(domain, missing);
                }
                // A process that only answers requests needs no folder, and an export says that the folder is missing.
                found.set(domain, missing === undefined ? site : (this.#sites.get(domain) ?? site));
            } catch (error) {
                const domain = canonicalDomain(address.split(/[/=\s]/, 1)[0]!);
                report(domain, (error as Error).message);
                const before = this.#sites.get(domain);
                if (before !== undefined && !found.has(domain)) {
                    found.set(domain, before);
                }
            }
        }
        return { found, faults, places };
    }
}

/** Does not wait for a writer, as opening a named pipe would: the process would answer nobody. */
function readRegularFile(file: string): Buffer {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
        if (!fstatSync(descriptor).isFile()) {
            throw Object.assign(new Error(), { code: "not a regular file" });
        }
        return readFileSync(descriptor);
    } finally {
        closeSync(descriptor);
    }
}

/** The sites of the options by canonical domain. @throws ServiceOptionsError */
function readOptions({ sites = {}, checkSite }: WatchedSitesOptions): Map<string, Site> {
    const given = new Map<string, Site>();
    for (const [address, place] of Object.entries(sites)) {
        const { domain, site } = resolveSite(address, place);
        const missing = findMissingFolder(domain, site);
        if (missing !== undefined || given.has(domain)) {
            throw new ServiceOptionsError(missing ?? `Site ${domain} is given twice.`);
        }
        given.set(domain, site);
    }
    const realPlace = createRealPlace();
    given.forEach((site, domain) => checkSite?.(domain, site, realPlace));
    return given;
}

const howToWrite =
    "write it as docs.example.com=./docs, or as " +
    "docs.example.com=git+https://git.example.com/acme/docs.git#main:guides.";
