import { withoutQuery } from "@pulumi-static-export/contract";
/** Folders of the export that contain no pages. */
const ownFolders = new Set(["static-export", "_private", ".well-known"]);

/**
 * The route of a page, such as `guides/start`, given a path, a file of the export, or the page's address.
 *
 * @returns undefined if it cannot be a page
 */
export function routeOf(path: string): string | undefined {
    let pathname = path.trim();
    try {
        pathname = /^https?:/i.test(pathname) ? new URL(pathname).pathname : withoutQuery(pathname);
        pathname = decodeURIComponent(pathname);
    } catch {
        return undefined;
    }
    const segments = pathname.split("/").filter((segment) => segment !== "" && segment !== ".");
    if (pathname.length > 1000 || /[\\\0]/.test(pathname) || segments.includes("..") || ownFolders.has(segments[0]!)) {
        return undefined;
    }
    const route = segments.join("/").replace(/\.(?:md|html)$/i, "");
    return route === "" ? "index" : route;
}

/** The name of a page in answers: its path from the site's root, as in its address. */
export function pathOf(file: string): string {
    const route = file.replace(/\.(?:md|html)$/, "").replace(/(^|\/)index$/, "");
    return `/${route}`;
}

/** The first heading of a Markdown file, or undefined. */
export function titleOf(markdown: string): string | undefined {
    return /^# +(\S.*)$/m.exec(markdown)?.[1];
}
