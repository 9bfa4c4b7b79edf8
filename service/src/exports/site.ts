import { type SiteBuild } from "../builds/site-build.js";
import { type GitSource } from "./git-source.js";

/** A folder of documentation, and the address of its site. */
export interface Site {
    /** An absolute folder, or a repository, which is fetched for each export. */
    readonly source: string | GitSource;
    /** The base path, as `parseBasePath` returns it; if undefined, the site's settings decide. */
    readonly basePath: string | undefined;
    /** The operator's permission to run the builder of the site, which must be in a repository. @default none */
    readonly build?: SiteBuild;
}

/** The address of a site, or of a preview of the site at another domain. */
export function addressOf(domain: string, { basePath = "" }: Partial<Pick<Site, "basePath">> = {}): string {
    return `https://${domain}/${basePath === "" ? "" : `${basePath}/`}`;
}
