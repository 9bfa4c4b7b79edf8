import { join } from "node:path";
import { PodError } from "./pod-error.js";

/** The settings of the init container, which the chart writes into its environment. */
export interface PodSettings {
    /** Identifies the export that the pod serves. */
    exportId: string;
    /** Lower-case hexadecimal; undefined if any bundle of the link is accepted. */
    expectedSha256: string | undefined;
    /** The response of /healthz. */
    healthz: string;
    /** The mounted Secret of this export, with `bundle-url`. */
    secretFolder: string;
    siteFolder: string;
    /** A folder in the site's folder, for everything that is unfinished. */
    workFolder: string;
    /** A volume that keeps bundles; undefined without a cache. */
    cacheFolder: string | undefined;
    /** Separates a reader's groups; empty if the site does not identify readers. */
    groupsSeparator: string;
    attempts: number;
    attemptTimeoutMs: number;
    retryDelayMs: number;
    maxBundleMib: number;
    maxSiteMib: number;
    maxFiles: number;
}

export const bytesPerMib = 1024 * 1024;

export function readPodSettings(environment: NodeJS.ProcessEnv): PodSettings {
    const text = (name: string, otherwise: string) => environment[name] || otherwise;
    const number = (name: string, otherwise?: number) => {
        const value = environment[name] || otherwise;
        if (value === undefined) {
            throw new PodError(`${name} is not set.`);
        }
        return Number(value);
    };
    const siteFolder = text("SITE_DIR", "/srv/site");
    if (!environment.EXPORT_ID) {
        throw new PodError("EXPORT_ID is not set.");
    }
    return {
        exportId: environment.EXPORT_ID,
        expectedSha256: environment.EXPECTED_SHA256?.toLowerCase() || undefined,
        healthz: text("HEALTHZ_JSON", ""),
        secretFolder: text("SECRET_DIR", "/etc/static-export"),
        siteFolder,
        workFolder: join(siteFolder, ".work"),
        cacheFolder: environment.CACHE_DIR || undefined,
        groupsSeparator: text("GROUPS_SEPARATOR", ""),
        attempts: number("ATTEMPTS", 6),
        attemptTimeoutMs: number("ATTEMPT_TIMEOUT_SECONDS", 300) * 1000,
        // 0 is a setting, too.
        retryDelayMs: Number(environment.RETRY_DELAY_SECONDS ?? 2) * 1000,
        maxBundleMib: number("MAX_BUNDLE_MIB"),
        maxSiteMib: number("MAX_SITE_MIB"),
        maxFiles: number("MAX_FILES"),
    };
}
