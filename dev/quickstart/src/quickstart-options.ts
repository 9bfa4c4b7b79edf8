export interface QuickstartOptions {
    /** Label of the export. @default the label of the last run */
    version?: string | undefined;
    /** Whether to check the site and exit instead of continuing to serve it. */
    exit: boolean;
    /** Whether to discard earlier runs first. */
    reset: boolean;
    /** Whether to serve the site from a cluster instead of this machine. */
    kubernetes: boolean;
    /** Whether to publish two releases to a bucket instead of serving one release. */
    bucket: boolean;
    signal: AbortSignal;
}
