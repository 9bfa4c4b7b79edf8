import { posix } from "node:path";

/** The route of the site's first page; its address is `/`. */
export const homeRoute = "index";

const pageExtension = /\.mdx?$/i;

export function isPageFile(file: string): boolean {
    return pageExtension.test(file);
}

export function isMdxFile(file: string): boolean {
    return /\.mdx$/i.test(file);
}

/** The file that GitHub shows for a folder. */
export function isReadme(file: string): boolean {
    return /(?:^|\/)readme\.mdx?$/i.test(file);
}

/**
 * Returns the route of a page's file: `guides/start` for `guides/start.mdx`, `guides` for `guides/index.md`, and
 * `index` for `index.md`.
 */
export function routeOfFile(file: string): string {
    const withoutExtension = ownRouteOfFile(file);
    if (posix.basename(withoutExtension) !== homeRoute) {
        return withoutExtension;
    }
    const folder = posix.dirname(withoutExtension);
    return folder === "." ? homeRoute : folder;
}

/** Returns a separate route for each file name without its extension: `guides/index` differs from `guides`. */
export function ownRouteOfFile(file: string): string {
    return file.replace(pageExtension, "");
}

export function htmlFileOf(route: string): string {
    return `${route}.html`;
}

/** The file with the page's Markdown. */
export function markdownFileOf(route: string): string {
    return `${route}.md`;
}

/** The file with the feed of a page's updates. */
export function feedFileOf(route: string): string {
    return `${route}/rss.xml`;
}

/** The address at which a site is served. */
export interface SiteAddress {
    readonly domain: string;
    /**
     * The path on the domain below which the site's files are, without slashes at the ends; empty if the site is at the
     * root.
     */
    readonly basePath: string;
}

/** The path of a file, relative to the root of an export. @param file of the site */
export function belowBasePath(basePath: string, file: string): string {
    return basePath === "" ? file : `${basePath}/${file}`;
}

/** Whether the domain of an export is known. A preview and a build without a domain have this machine's name. */
export function hasDomain({ domain }: Pick<SiteAddress, "domain">): boolean {
    return domain !== "localhost";
}

/**
 * The address of a file, which begins with `/` if the export has no domain.
 * @param path of the site, encoded
 */
export function siteUrl(site: SiteAddress, path: string): string {
    const { domain, basePath } = site;
    return `${hasDomain(site) ? `https://${domain}` : ""}/${belowBasePath(basePath, path)}`;
}

/** The address of the site's MCP server, which answers at the root of the domain even if the site is below a path. */
export function mcpUrl(site: SiteAddress): string {
    return siteUrl({ ...site, basePath: "" }, "mcp");
}

/** The path of a page in its address, without an extension, so that the path stays the same on another host. */
export function canonicalPath(route: string): string {
    return route === homeRoute ? "" : encodePath(route);
}

export function canonicalUrl(site: SiteAddress, route: string): string {
    return siteUrl(site, canonicalPath(route));
}

/** A link from a page to a file of the export that works from any sub-path and from the file system. */
export function relativeHref(fromRoute: string, toFile: string): string {
    const path = encodePath(relativePath(fromRoute.slice(0, fromRoute.lastIndexOf("/") + 1), toFile));
    // A first segment with a colon would look like a scheme.
    return /^[^/]*:/.test(path) ? `./${path}` : path;
}

/** The path from a page up to the root of the export: empty, or `../` once for each folder. */
export function rootPrefix(route: string): string {
    return "../".repeat(route.split("/").length - 1);
}

/** A faster `posix.relative`, needed because every page has hundreds of links. Requires normalised paths. */
function relativePath(fromFolder: string, toFile: string): string {
    let common = 0;
    for (let at = 0; at < fromFolder.length && fromFolder[at] === toFile[at]; at += 1) {
        if (fromFolder[at] === "/") {
            common = at + 1;
        }
    }
    return "../".repeat(fromFolder.slice(common).split("/").length - 1) + toFile.slice(common);
}

/** Encodes the characters of file names that have a meaning in addresses, such as `#` and `?`. */
export function encodePath(path: string): string {
    return /^[\w./-]*$/.test(path) ? path : path.split("/").map(encodeURIComponent).join("/");
}
