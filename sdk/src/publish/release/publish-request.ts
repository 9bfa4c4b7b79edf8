import type { Clock } from "../../time/clock.js";
import type { HeaderSettings } from "../site/file-headers.js";
import type { OpenedSite } from "../site/read-site.js";
import type { Switching } from "../records/site-record.js";
import type { LeaseTimes } from "../run/lease.js";
import type { PublishProgress } from "../run/run-plan.js";

/** A site, and how to publish it. */
export interface PublishRequest {
    /** Identifies the program or person that owns the site: another owner is rejected. */
    readonly owner: string;
    /** Whether other sites may have this owner, too: then a site without a page of the live one is rejected. */
    readonly isSharedOwner?: boolean | undefined;
    /** The export job, whose files need not be opened if the target already has them. */
    readonly jobId?: string | undefined;
    /**
     * The id of a release that the target still has, which becomes live again: its job, or the first digits of its
     * SHA-256. No site is opened, and every other release stays.
     */
    readonly releaseId?: string | undefined;
    /** Provides the site in a folder. Called at most once, and only if the target lacks files. */
    openSite(signal: AbortSignal): Promise<OpenedSite>;
    readonly headers: HeaderSettings;
    readonly switching: Switching;
    /**
     * With `edge`, the host enforces the release's access.json, so that a site may have private files. Requires whole
     * releases: otherwise, files would be live for seconds under the access.json of another release.
     */
    readonly access?: "edge" | undefined;
    /**
     * How many earlier releases can be served again without the platform.
     * @default the number of the last run
     */
    readonly keep?: number | undefined;
    /** How long unneeded files stay, for readers who have earlier pages open. */
    readonly graceSeconds: number;
    /** Publishes to a place that has other files, but no record of a site. @default false, which rejects such a place */
    readonly adopt?: boolean | undefined;
    /**
     * Whether the run believes the record instead of comparing it with the place, unless it creates files. Then a file
     * that somebody else has changed or removed stays as it is. @default false
     */
    readonly trustsRecord?: boolean | undefined;
    /**
     * Purges these paths from a CDN. If the purge fails, the next run repeats it with the same paths, even if nothing
     * else has changed.
     */
    readonly purge?: ((changedPaths: readonly string[], signal: AbortSignal) => Promise<void>) | undefined;
    /** Only plans. */
    readonly isDryRun?: boolean;
    readonly signal: AbortSignal;
    readonly log: (line: string) => void;
    readonly onProgress?: ((progress: PublishProgress) => void) | undefined;
    readonly clock?: Clock;
    readonly leaseTimes?: LeaseTimes;
}

/** A request that says how many releases this run and the next one keep. */
export interface KeepingRequest extends PublishRequest {
    readonly keep: number;
    readonly nextKeep: number;
}
