/** A folder of documentation, and where its site is served. */
export interface Site {
    /** Absolute. */
    readonly folder: string;
    /** As `parseBasePath` gives it; undefined to take it from the site's settings. */
    readonly basePath: string | undefined;
}
