import { isRecord } from "./is-record.js";
import { type DeploymentType, deploymentTypes, type Feature, features } from "./feature-matrix.js";

/** The file that describes a bundle's contents, relative to the bundle's root. */
export const bundleFactsFile = "static-export/bundle.json";

/** A bundle's list of readers by file, which only servers read; absent from a bundle that everybody may read. */
export const accessFile = "access.json";

/** A file that a site in a folder has only while another version replaces its files. */
export const replacingFile = "static-export/replacing";

/** The default limits of programs that unpack a bundle, for its unpacked content. */
export const defaultBundleLimits = { maxBytes: 8 * 1024 ** 3, maxFiles: 1_000_000 } as const;

/** A third-party service that pages load. */
export interface BundledService {
    /** The name in `integrations` of `docs.json`, such as `plausible`. */
    readonly name: string;
    readonly title: string;
    readonly kind: "analytics" | "support" | "consent";
    /** The data that the service gets, such as "page views and events". */
    readonly sends: string;
    /** Host names, some of which begin with `*.`. */
    readonly hosts: readonly string[];
    /** Whether pages load the service only after the reader's consent. */
    readonly needsConsent: boolean;
}

/** The contents of a bundle, and the destinations to which its pages send data. */
export interface BundleFacts {
    readonly version: 1;
    readonly domain: string;
    /** The path below the domain where the site is served; empty for the domain's root. */
    readonly basePath: string;
    /** The type of deployment that the export is for. */
    readonly deployment: DeploymentType;
    /** The number of pages that everybody may read. */
    readonly pages: number;
    readonly privatePages: number;
    /** The features that the bundle contains; its deployment may switch them off. */
    readonly features: Readonly<Record<Feature, boolean>>;
    readonly services: readonly BundledService[];
    /** Hosts of APIs, which receive the requests of "Try it" forms. */
    readonly apiServers: readonly string[];
    /** Options of the page menu that open a third-party AI tool. */
    readonly aiTools: readonly string[];
    /** Hosts from which pages load pictures, videos, frames, styles or fonts. */
    readonly embeds: readonly string[];
}

/** @returns undefined for a file of another version; the bundle's contents are then unknown */
export function parseBundleFacts(text: string): BundleFacts | undefined {
    let found: unknown;
    try {
        found = JSON.parse(text);
    } catch {
        return undefined;
    }
    return isRecord(found) && isBundleFacts(found) ? (found as unknown as BundleFacts) : undefined;
}

function isBundleFacts(facts: Record<string, unknown>): boolean {
    const { version, domain, basePath, deployment, pages, privatePages, services, apiServers, aiTools, embeds } = facts;
    const flags = facts["features"];
    return (
        version === 1 &&
        [domain, basePath].every(isText) &&
        deploymentTypes.includes(deployment as DeploymentType) &&
        [pages, privatePages].every((count) => Number.isSafeInteger(count) && (count as number) >= 0) &&
        isRecord(flags) &&
        features.every((feature) => typeof flags[feature] === "boolean") &&
        Array.isArray(services) &&
        services.every((service) => isRecord(service) && isService(service)) &&
        [apiServers, aiTools, embeds].every(isTextList)
    );
}

function isService({ name, title, kind, sends, hosts, needsConsent }: Record<string, unknown>): boolean {
    return (
        [name, title, sends].every(isText) &&
        ["analytics", "support", "consent"].includes(kind as string) &&
        isTextList(hosts) &&
        typeof needsConsent === "boolean"
    );
}

function isText(value: unknown): boolean {
    return typeof value === "string";
}

function isTextList(value: unknown): boolean {
    return Array.isArray(value) && value.every(isText);
}
