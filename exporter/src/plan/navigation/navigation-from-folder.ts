import { getOrMake } from "../../text/get-or-make.js";
import { posix } from "node:path";
import { type NavItem, type Navigation } from "./navigation.js";
import { homeRoute } from "../../read/files/routes.js";
import { byCodePoint } from "../../read/files/sorted-files.js";
import { humanize } from "../../text/strings.js";

interface FolderPage {
    readonly route: string;
    readonly file: string;
    readonly meta: { readonly order?: number };
}

/**
 * Without a `docs.json`, the navigation follows the folders. A folder's own page is first, its other pages follow by
 * `order` and then by name, and a group for each subfolder is last.
 */
export function navigationFromFolder(pages: readonly FolderPage[]): Navigation {
    return { sections: [{ path: [], items: itemsOf("", pages) }], links: [] };
}

/** A page or a folder, with its sort keys. */
interface Entry {
    readonly name: string;
    readonly isOwnPage: boolean;
    readonly isFolder: boolean;
    readonly order: number | undefined;
    readonly item: () => NavItem;
}

function itemsOf(folder: string, pages: readonly FolderPage[]): NavItem[] {
    const insideAt = folder === "" ? 0 : folder.length + 1;
    const here: Entry[] = [];
    const children = new Map<string, FolderPage[]>();
    for (const page of pages) {
        const childEnd = page.file.indexOf("/", insideAt);
        if (childEnd === -1) {
            here.push(entryOfPage(page, folder));
            continue;
        }
        const child = page.file.slice(0, childEnd);
        getOrMake(children, child, () => []).push(page);
    }
    const folders = [...children].map(([child, inside]) => entryOfFolder(child, inside));
    return [...here, ...folders]
        .sort(
            (a, b) =>
                Number(b.isOwnPage) - Number(a.isOwnPage) ||
                (a.order ?? Number.MAX_VALUE) - (b.order ?? Number.MAX_VALUE) ||
                Number(a.isFolder) - Number(b.isFolder) ||
                byCodePoint(a.name, b.name),
        )
        .map(({ item }) => item());
}

function entryOfPage({ route, file, meta }: FolderPage, folder: string): Entry {
    return {
        name: posix.basename(file),
        isOwnPage: route === homeRoute || folder === route || folder.endsWith(`/${route}`),
        isFolder: false,
        order: meta.order,
        item: () => ({ kind: "page", route }),
    };
}

function entryOfFolder(folder: string, pages: readonly FolderPage[]): Entry {
    const name = posix.basename(folder);
    return {
        name,
        isOwnPage: false,
        isFolder: true,
        order: undefined,
        item: () => ({ kind: "group", title: humanize(name), expanded: false, items: itemsOf(folder, pages) }),
    };
}
