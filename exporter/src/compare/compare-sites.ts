import { decodeUri } from "@pulumi-static-export/contract";
import { posix } from "node:path";
import { type ComparedSite, type PageOnDisk } from "./compared-site.js";
import { type Comparison, type DeadLink } from "./comparison.js";

/** Excludes pages that only redirect, because readers do not stay on them. */
export function compareSites(before: ComparedSite, after: ComparedSite): Comparison {
    const [old, now] = [contentPages(before), contentPages(after)];
    const listed = (pages: ReadonlyMap<string, PageOnDisk>, isListed: (file: string, page: PageOnDisk) => boolean) =>
        [...pages]
            .filter(([file, page]) => isListed(file, page))
            .map(([file, { title }]) => ({ page: addressOf(file), title }));
    const removed = listed(old, (file) => !now.has(file));
    const changesTo = (isPrivate: boolean) =>
        listed(
            now,
            (file) =>
                old.has(file) &&
                before.privateFiles.has(file) !== isPrivate &&
                after.privateFiles.has(file) === isPrivate,
        );
    return {
        added: listed(now, (file) => !old.has(file)),
        changed: listed(now, (file, { digest }) => old.has(file) && old.get(file)?.digest !== digest),
        removed,
        deadLinks: findNewDeadLinks(before, after),
        becomePrivate: changesTo(true),
        becomePublic: changesTo(false),
        missingRedirects: removed.filter(({ page }) => !leadsOn(after, page)),
    };
}

function contentPages({ pages }: ComparedSite): Map<string, PageOnDisk> {
    return new Map([...pages].filter(([, { redirectsTo }]) => redirectsTo === undefined));
}

/** The address of a page: `/guides/start` for `guides/start.html`, and `/guides` for `guides/index.html`. */
function addressOf(file: string): string {
    return `/${file.replace(/\.html$/, "").replace(/(^|\/)index$/, "")}`;
}

function leadsOn(site: ComparedSite, address: string): boolean {
    const name = address.slice(1);
    return [`${name}.html`, `${name}/index.html`].some((file) => site.pages.has(file)) || site.redirects(address);
}

function findNewDeadLinks(before: ComparedSite, after: ComparedSite): DeadLink[] {
    return [...after.pages].flatMap(([file, { hrefs }]) => {
        const old = before.pages.get(file);
        return hrefs
            .filter((href) => isDead(href, file, after))
            .filter((href) => !(old?.hrefs.includes(href) === true && isDead(href, file, before)))
            .map((href) => ({ page: addressOf(file), href }));
    });
}

/** Whether a link within the site is broken: its file or its anchor does not exist. */
function isDead(href: string, from: string, site: ComparedSite): boolean {
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)) {
        return false;
    }
    const [, path = "", anchor = ""] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(href) ?? [];
    const address = decodeUri(path);
    const target =
        address === "" ? from : posix.join("/", address.startsWith("/") ? "" : posix.dirname(from), address).slice(1);
    const name = target.replace(/\/$/, "");
    const file = [name, `${name}.html`, posix.join(name, "index.html")].find((each) => site.files.has(each));
    if (file === undefined) {
        return !site.redirects(`/${name}`);
    }
    const page = site.pages.get(file);
    // `#` and `#top` refer to the top of every page; a text fragment contains words to look for.
    const isPlace = anchor !== "" && anchor !== "top" && !anchor.startsWith(":~:");
    return isPlace && page !== undefined && page.redirectsTo === undefined && !page.ids.has(decodeUri(anchor));
}
