import { type EnforcedLimit } from "../processes/run-bounds.js";
import { type BuildLimits, type SiteBuild } from "./site-build.js";

/** A checkout of a site, and how to build it. */
export interface BuildRequest {
    jobId: string;
    /** The folder from `withFolder`. */
    folder: string;
    /** The folder of the whole checkout. */
    checkout: string;
    /** The site's folder in the checkout. */
    sourceDir: string;
    build: SiteBuild;
    /** The name of the site's cache. @default builds have no cache */
    cacheName?: string | undefined;
    signal: AbortSignal;
    /** Called with each line of the builder's log. */
    onLine: (line: string) => void;
}

/** The name of the cache that a build uses. @returns undefined for a build without a cache */
export function cacheOf({ cacheName, build }: Pick<BuildRequest, "cacheName" | "build">): string | undefined {
    return build.limits.cacheMegabytes > 0 ? cacheName : undefined;
}

/** Builds sites, on this machine or on another. */
export interface Builder {
    /** Creates an empty folder for a build, and removes it and everything that the build left in it. */
    withFolder<T>(jobId: string, limits: BuildLimits, use: (folder: string) => Promise<T>): Promise<T>;
    /**
     * Runs the builder of a site until all of its processes have ended.
     * @returns the folder with the finished site
     * @throws an error that says why the build failed, with the last lines of its log
     */
    run(request: BuildRequest): Promise<string>;
    /** How the limits of builds are enforced, once the builder has examined the machine. */
    enforcedLimits?(): readonly EnforcedLimit[];
    close?(): Promise<void>;
}
