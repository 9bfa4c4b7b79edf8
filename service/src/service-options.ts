import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { canonicalDomain, isDomain } from "./domain.js";
import { type Exporter } from "./export/exporter.js";
import { type RequestLogEntry } from "./http/request-log.js";
import { type ServiceLogger } from "./logger.js";
import { type AgentProject } from "./store/agent-job-store.js";

export interface ServiceOptions {
    /** Holds the database, the bundles, the caches and the secret that signs links; made when missing. */
    dataDir: string;
    /** The folder of documentation of each domain for which static export is enabled. */
    sites: Readonly<Record<string, string>>;
    /** What clients send as `Authorization: Bearer …`. */
    adminApiKey: string;
    /** How long a bundle link works. @default 3600 */
    linkTtlSeconds?: number;
    /** The address clients reach the service under, where it is not the one listened on. */
    publicUrl?: string;
    /** The projects in which agent jobs may be created, by project id. @default none */
    projects?: Readonly<Record<string, AgentProject>>;
    /** Fault switches, such as `start:status=503,times=2`; see `faultHelp`. @default none */
    faults?: readonly string[];
    /** How many export jobs run at once, over all domains; one domain's never do. @default 2 */
    concurrency?: number;
    /** What turns a folder into an archive. @default the site exporter, on worker threads */
    exporter?: Exporter;
    /** Milliseconds since 1970. @default Date.now */
    clock?: () => number;
    /** @default silence */
    logger?: ServiceLogger;
    /** Told of every request when its answer has ended. */
    onRequest?: (entry: RequestLogEntry) => void;
}

/** Options with which the service does not start; the message says which and what to do. */
export class ServiceOptionsError extends Error {
    override readonly name = "ServiceOptionsError";
}

/** @throws ServiceOptionsError */
export function assertAdminApiKey(key: string): void {
    if (!/^\S+$/.test(key)) {
        throw new ServiceOptionsError(
            key === "" ? "The admin API key is empty." : "The admin API key must not contain white space.",
        );
    }
}

/** Absolute folders by canonical domain. @throws ServiceOptionsError */
export function resolveSites(sites: Readonly<Record<string, string>>): Map<string, string> {
    const resolved = new Map<string, string>();
    for (const [domain, folder] of Object.entries(sites)) {
        if (!isDomain(domain)) {
            throw new ServiceOptionsError(
                `Site "${domain}": the domain must be a host name only, such as docs.example.com.`,
            );
        }
        if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
            throw new ServiceOptionsError(`Site ${domain}: there is no folder ${resolve(folder)}.`);
        }
        if (resolved.has(canonicalDomain(domain))) {
            throw new ServiceOptionsError(`Site ${domain} is given twice.`);
        }
        resolved.set(canonicalDomain(domain), resolve(folder));
    }
    if (resolved.size === 0) {
        throw new ServiceOptionsError("No site is given: name at least one domain and its folder.");
    }
    return resolved;
}

/**
 * A data folder among a site's files would be published with them, secrets and all; exporters skip hidden folders.
 *
 * @throws ServiceOptionsError
 */
export function assertNotPublished(dataDir: string, sites: ReadonlyMap<string, string>): void {
    for (const [domain, folder] of sites) {
        const way = relative(realpathSync(folder), realpathSync(dataDir));
        if (!isAbsolute(way) && !way.split(sep).some((name) => name.startsWith("."))) {
            throw new ServiceOptionsError(
                `Data folder ${dataDir} lies in the folder of site ${domain} and would be published with it: ` +
                    "choose one outside, or one whose name begins with a dot.",
            );
        }
    }
}

/** @throws ServiceOptionsError */
export function resolveProjects(projects: Readonly<Record<string, AgentProject>>): Map<string, AgentProject> {
    for (const [projectId, { repository }] of Object.entries(projects)) {
        if (!URL.canParse(repository)) {
            throw new ServiceOptionsError(
                `Project ${projectId}: the repository must be a full URL, such as https://github.com/owner/name.`,
            );
        }
    }
    return new Map(Object.entries(projects));
}

/** Without a trailing slash. @throws ServiceOptionsError */
export function resolvePublicUrl(publicUrl: string): string {
    const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
    if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.search !== "" || url.hash !== "") {
        throw new ServiceOptionsError(
            `The public address "${publicUrl}" must be an http or https URL without a query, such as ` +
                "https://docs-admin.example.com.",
        );
    }
    return url.href.replace(/\/+$/, "");
}

/** @throws ServiceOptionsError */
export function assertAtLeastOne(name: string, value: number): void {
    if (!Number.isSafeInteger(value) || value < 1) {
        throw new ServiceOptionsError(`${name} must be a whole number of at least 1, got ${value}.`);
    }
}
