export interface QuickstartOptions {
    /** Label of the export. @default what was last set */
    version?: string | undefined;
    /** Whether to check the site and end instead of serving on. */
    exit: boolean;
    /** Whether to forget the earlier runs first. */
    reset: boolean;
    /** Whether a cluster serves the site, instead of this machine. */
    kubernetes: boolean;
    signal: AbortSignal;
}
