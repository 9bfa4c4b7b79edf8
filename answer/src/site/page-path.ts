import { withoutQuery } from "@pulumi-static-export/contract";
/** Folders of the export that contain no pages. */
const ownFolders = new Set(["static-export", "_private", ".well-known"]);

/**
 * The possible routes of a page, such as `guides/start`, given a path, a file of the export, or the page's address. The
 * first route is the likeliest.
 *
 * @param basePath the path below which the site is served, such as `docs`; empty for the root of its domain
 */
export function routesOf(asked: string, basePath: string): string[] {
    const text = asked.trim();
    const isAddress = /^https?:\/\//i.test(text);
    const pathname = isAddress && URL.canParse(text) ? new URL(text).pathname : text;
    const plain = withoutQuery(pathname);
    // A path may contain the characters of a page's name as they are, such as `c#` and `100%`.
    const paths = [decoded(plain), decoded(pathname), plain, pathname].filter((path) => path !== undefined);
    const names = paths.flatMap((path) => nameIn(path) ?? []);
    const below = basePath === "" ? [] : names.flatMap((name) => withoutBase(name, basePath) ?? []);
    const all = isAddress && below.length > 0 ? below : [...names, ...below];
    return [...new Set(all.flatMap((name) => [name, name.replace(/\.(?:md|html)$/i, "")]))].map(
        (name) => name || "index",
    );
}

function decoded(path: string): string | undefined {
    try {
        return decodeURIComponent(path);
    } catch {
        return undefined;
    }
}

/** Returns undefined for a path that cannot be a page. */
function nameIn(path: string): string | undefined {
    const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
    const isRefused = path.length > 1000 || /[\\\0]/.test(path) || segments.includes("..");
    return isRefused || ownFolders.has(segments[0]!) ? undefined : segments.join("/");
}

function withoutBase(name: string, basePath: string): string | undefined {
    const rest = name === basePath ? "" : name.startsWith(`${basePath}/`) ? name.slice(basePath.length + 1) : undefined;
    return rest === undefined ? undefined : nameIn(rest);
}

/** The name of a page's file in answers: the page's path from the site's root, as in its address. */
export function pathOf(file: string): string {
    return pathOfRoute(file.replace(/\.(?:md|html)$/, ""));
}

/** The name of a page in answers. Reading the name finds the page again. */
export function pathOfRoute(route: string): string {
    return `/${route.replace(/(^|\/)index$/, "").replace(/[%?#]/g, encodeURIComponent)}`;
}

/** The first heading of a Markdown file, or undefined. */
export function titleOf(markdown: string): string | undefined {
    return /^# +(\S.*)$/m.exec(markdown)?.[1];
}
