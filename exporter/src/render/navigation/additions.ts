import { pagesBelow, type NavGroup, type NavItem } from "../../plan/navigation/navigation.js";
import { escapeHtml } from "../../text/html-text.js";
import { type NavEntries } from "./nav-entries.js";

/** The maximum number of consecutive entries; more become one link. */
const maxEntries = 20;

interface AdditionsOptions {
    readonly isPublic: (route: string) => boolean;
    readonly entries: NavEntries;
    readonly from: string;
}

/**
 * Writes the entries that are missing from the public list, each with its predecessor in that list (`data-known`);
 * empty if no entries are missing.
 */
export function additionsOf(items: readonly NavItem[], options: AdditionsOptions): string {
    const html: string[] = [];
    let known: NavItem | undefined;
    let added: NavItem[] = [];
    const writeAdded = () => {
        if (added.length > 0) {
            html.push(known === undefined ? "" : knownHtml(known, "", options), addedHtml(added, options));
            [known, added] = [undefined, []];
        }
    };
    for (const item of items) {
        if (item.kind === "link") {
            continue;
        }
        if (![...pagesBelow([item])].some(({ route }) => options.isPublic(route))) {
            added.push(item);
            continue;
        }
        writeAdded();
        const inner = item.kind === "group" ? additionsOf(entriesOfGroup(item), options) : "";
        if (inner !== "") {
            html.push(knownHtml(item, inner, options));
        }
        known = inner === "" ? item : undefined;
    }
    writeAdded();
    return html.length === 0 ? "" : `<ul>${html.join("")}</ul>`;
}

/** The entries of a group, its own page first. */
export function entriesOfGroup({ root, items }: NavGroup): readonly NavItem[] {
    return root === undefined ? items : [{ kind: "page", route: root }, ...items];
}

function knownHtml(item: NavItem, inner: string, { entries, from }: AdditionsOptions): string {
    const name =
        item.kind === "group"
            ? `<p class="group-title">${entries.groupName(item, from)}</p>`
            : `<a href="${escapeHtml(entries.of(item, from)?.href ?? "")}"></a>`;
    return `<li data-known>${name}${inner}</li>`;
}

function addedHtml(items: readonly NavItem[], { entries, from }: AdditionsOptions): string {
    const [first, last] = [items[0], items.at(-1)];
    if (items.length > maxEntries && first !== undefined && last !== undefined) {
        const href = entries.of(first, from)?.href ?? "";
        return groupHtml(href, entries.nameOfRow(first, last));
    }
    return items
        .map((item) => {
            const { href, name } = entries.of(item, from) ?? { href: "", name: "" };
            return item.kind === "group" ? groupHtml(href, name) : `<li><a href="${escapeHtml(href)}">${name}</a></li>`;
        })
        .join("");
}

function groupHtml(href: string, name: string): string {
    return `<li class="group"><a class="group-title" href="${escapeHtml(href)}">${name}</a></li>`;
}
