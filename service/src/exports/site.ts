import { type GitSource } from "./git-source.js";

/** A folder of documentation, and where its site is served. */
export interface Site {
    /** An absolute folder, or a repository, which is fetched for each export. */
    readonly source: string | GitSource;
    /** As `parseBasePath` gives it; undefined to take it from the site's settings. */
    readonly basePath: string | undefined;
}
