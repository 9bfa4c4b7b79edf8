import type { Clock } from "../../time/clock.js";
import type { CompleteSettings, PublishSettings } from "../settings/publish-settings.js";
import type { OpenedSite } from "../site/read-site.js";
import type { LeaseTimes } from "../run/lease.js";
import type { PublishProgress } from "../run/run-plan.js";

/** A site, and how to publish it. */
export interface PublishRequest extends PublishSettings {
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

/** A request with all settings, which says how many releases this run and the next one keep. */
export type KeepingRequest = CompleteSettings<PublishRequest> & {
    readonly keep: number;
    readonly nextKeep: number;
};
