import { getOrMake } from "../../text/get-or-make.js";
import { posix } from "node:path";
import { type NavItem, type Navigation } from "./navigation.js";
import { homeRoute } from "../../read/files/routes.js";
import { byCodePoint } from "../../read/files/sorted-files.js";
import { humanize } from "../../text/strings.js";
import { type FolderSettings } from "./folder-settings.js";

interface FolderPage {
    readonly route: string;
    readonly file: string;
    readonly meta: { readonly order?: number };
}

/** The settings of a folder; empty for a folder without settings. */
export type FolderSettingsReader = (folder: string) => FolderSettings;

/**
 * Without a `docs.json`, the navigation follows the folders, unless files of other builders set another order. A
 * folder's own page is first, its other pages follow by `order` and then by name, and a group for each subfolder is
 * last.
 */
export function navigationFromFolder(
    pages: readonly FolderPage[],
    settingsOf: FolderSettingsReader,
    pagesFolder = "",
): Navigation {
    const items = itemsOf(pagesFolder, pages, settingsOf(pagesFolder), settingsOf);
    return { sections: [{ path: [], items }], links: [] };
}

/** A page or a folder, with its sort keys. */
interface Entry {
    readonly name: string;
    readonly isOwnPage: boolean;
    readonly isFolder: boolean;
    readonly order: number | undefined;
    readonly item: () => NavItem;
}

function itemsOf(
    folder: string,
    pages: readonly FolderPage[],
    { entries: listed = [], titles }: FolderSettings,
    settingsOf: FolderSettingsReader,
): NavItem[] {
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
    const folders = [...children].map(([child, inside]) => entryOfFolder(child, inside, titles, settingsOf));
    const placeIn = (name: string) => listed.indexOf(name.replace(/\.mdx?$/i, "")) + 1 || Number.MAX_VALUE;
    return [...here, ...folders]
        .sort(
            (a, b) =>
                placeIn(a.name) - placeIn(b.name) ||
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

/** @param titles the folders' titles from the parent folder */
function entryOfFolder(
    folder: string,
    pages: readonly FolderPage[],
    titles: ReadonlyMap<string, string> | undefined,
    settingsOf: FolderSettingsReader,
): Entry {
    const settings = settingsOf(folder);
    const name = posix.basename(folder);
    return {
        name,
        isOwnPage: false,
        isFolder: true,
        order: settings.order,
        item: () => ({
            kind: "group",
            title: settings.title ?? titles?.get(name) ?? humanize(name),
            expanded: settings.isOpen === true,
            items: itemsOf(folder, pages, settings, settingsOf),
        }),
    };
}
