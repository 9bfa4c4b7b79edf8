import { type NavGroup, type NavItem } from "../../plan/navigation/navigation.js";
import { accordion } from "../../html/accordion.js";
import { escapeHtml } from "../../text/html-text.js";
import { word } from "../../words/words.js";

/** The link from the page to an item, with the item's icon and title as HTML. */
interface DirectoryEntry {
    readonly href: string;
    readonly icon: string;
    readonly title: string;
    readonly description?: string | undefined;
}

/** Returns an item's entry; undefined for an item without a target. */
type EntryOf = (item: NavItem) => DirectoryEntry | undefined;

/** The list of a group's items, which follows the text of the group's page. */
export function directoryOf({ directory, items }: NavGroup, entryOf: EntryOf): string {
    const html =
        directory === "card" ? cards(items, entryOf) : directory === "accordion" ? nestedLists(items, entryOf) : "";
    return html === "" ? "" : `<nav class="directory" aria-label="${word("inThisSection")}">${html}</nav>`;
}

function cards(items: readonly NavItem[], entryOf: EntryOf): string {
    const all = items.flatMap((item) => {
        const found = entryOf(item);
        if (found === undefined) {
            return [];
        }
        const { href, icon, title, description } = found;
        const head = `<p class="card-title">${icon}<a href="${escapeHtml(href)}">${title}</a></p>`;
        const body = description === undefined ? "" : `<div class="card-body"><p>${escapeHtml(description)}</p></div>`;
        return [`<div class="card">${head}${body}</div>`];
    });
    return all.length === 0 ? "" : `<div class="cards" style="--columns:2">${all.join("")}</div>`;
}

function nestedLists(items: readonly NavItem[], entryOf: EntryOf): string {
    const lists: string[] = [];
    let pages: string[] = [];
    const endList = () => {
        lists.push(pages.length === 0 ? "" : `<ul>${pages.join("")}</ul>`);
        pages = [];
    };
    for (const item of items) {
        if (item.kind === "group") {
            endList();
            const inner = nestedLists(item.items, entryOf);
            lists.push(accordion(escapeHtml(item.title), inner, true));
        } else {
            const found = entryOf(item);
            if (found !== undefined) {
                pages.push(`<li>${found.icon}<a href="${escapeHtml(found.href)}">${found.title}</a></li>`);
            }
        }
    }
    endList();
    return lists.join("");
}
