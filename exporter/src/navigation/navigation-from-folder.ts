import { posix } from "node:path";
import { type NavItem, type Navigation } from "./navigation.js";
import { homeRoute } from "../files/routes.js";
import { byCodePoint } from "../files/site-files.js";

interface FolderPage {
    readonly route: string;
    readonly file: string;
    readonly order: number | undefined;
}

/**
 * Without a `docs.json` the folder is the navigation: the pages of a folder, its own page first, the others by `order`
 * and then by name, and after them a group for each folder inside.
 */
export function navigationFromFolder(pages: readonly FolderPage[]): Navigation {
    return { sections: [{ path: [], items: itemsOf("", pages) }], links: [] };
}

/** `getting-started` reads as "Getting started"; a number in front only sorts. */
export function humanize(name: string): string {
    const words = name
        .replace(/^\d+[-_. ]+(?=.)/, "")
        .replace(/[-_]+/g, " ")
        .trim();
    return words.charAt(0).toUpperCase() + words.slice(1);
}

function itemsOf(folder: string, pages: readonly FolderPage[]): NavItem[] {
    const insideAt = folder === "" ? 0 : folder.length + 1;
    const here: FolderPage[] = [];
    const children = new Map<string, FolderPage[]>();
    for (const page of pages) {
        const childEnd = page.file.indexOf("/", insideAt);
        if (childEnd === -1) {
            here.push(page);
            continue;
        }
        const child = page.file.slice(0, childEnd);
        const siblings = children.get(child);
        if (siblings === undefined) {
            children.set(child, [page]);
        } else {
            siblings.push(page);
        }
    }
    here.sort(byPlace);
    const groups = [...children.keys()].sort(byCodePoint).map((child): NavItem => {
        const items = itemsOf(child, children.get(child) as FolderPage[]);
        return { kind: "group", title: humanize(posix.basename(child)), expanded: false, items };
    });
    return [...here.map((page): NavItem => ({ kind: "page", route: page.route })), ...groups];
}

function folderOf(file: string): string {
    const folder = posix.dirname(file);
    return folder === "." ? "" : folder;
}

function byPlace(a: FolderPage, b: FolderPage): number {
    const isIndex = (page: FolderPage) => (page.route === homeRoute || page.route === folderOf(page.file) ? 0 : 1);
    return (
        isIndex(a) - isIndex(b) ||
        (a.order ?? Number.MAX_VALUE) - (b.order ?? Number.MAX_VALUE) ||
        byCodePoint(a.file, b.file)
    );
}
