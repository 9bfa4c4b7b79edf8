import type { Clock } from "../../time/clock.js";
import type { HeaderSettings } from "../site/file-headers.js";
import type { Switching } from "../records/site-record.js";
import type { LeaseTimes } from "./lease.js";
import type { PublishProgress } from "./run-plan.js";

/** A site, and how to publish it. */
export interface PublishRequest {
    /** Names the program or person whom the site belongs to: another owner is rejected. */
    readonly owner: string;
    /** The export job, so that its files need not be opened where the target has them already. */
    readonly jobId?: string | undefined;
    /** Opens the site in a folder. Called at most once, and only if the target does not have all files. */
    openSite(signal: AbortSignal): Promise<{ folder: string; sha256?: string | undefined }>;
    readonly headers: HeaderSettings;
    readonly switching: Switching;
    /**
     * `edge` says that the host separates readers by the release's access.json, so that a site may have private files.
     * Only whole releases: single files would be live for seconds with the readers of another release.
     */
    readonly access?: "edge" | undefined;
    /** How many earlier releases can be served again without the platform. */
    readonly keep: number;
    /** How long files that no release needs stay for readers of earlier pages. */
    readonly graceSeconds: number;
    /**
     * Makes a CDN forget these paths. If it fails, the next run calls it again with them, also when nothing else
     * changed.
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
