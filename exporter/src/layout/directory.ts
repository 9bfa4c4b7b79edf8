import { type NavGroup, type NavItem } from "../navigation/navigation.js";
import { escapeHtml } from "../text/html-text.js";
import { word } from "../words/words.js";

export interface DirectoryHost {
    /** What leads to the item from the page, with its icon and title as HTML; undefined for an item without a target. */
    readonly entry: (item: NavItem) =>
        | {
              readonly href: string;
              readonly icon: string;
              readonly title: string;
              readonly description?: string | undefined;
          }
        | undefined;
}

/** What a group holds, below the text of its own page. */
export function directoryOf({ directory, items }: NavGroup, host: DirectoryHost): string {
    const html = directory === "card" ? cards(items, host) : directory === "accordion" ? accordion(items, host) : "";
    return html === "" ? "" : `<nav class="directory" aria-label="${word("inThisSection")}">${html}</nav>`;
}

function cards(items: readonly NavItem[], { entry }: DirectoryHost): string {
    const all = items.flatMap((item) => {
        const found = entry(item);
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

function accordion(items: readonly NavItem[], host: DirectoryHost): string {
    const lists: string[] = [];
    let pages: string[] = [];
    const endList = () => {
        lists.push(pages.length === 0 ? "" : `<ul>${pages.join("")}</ul>`);
        pages = [];
    };
    for (const item of items) {
        if (item.kind === "group") {
            endList();
            const inner = accordion(item.items, host);
            const title = `<summary>${escapeHtml(item.title)}</summary>`;
            lists.push(`<details class="accordion" open>${title}<div>${inner}</div></details>`);
        } else {
            const found = host.entry(item);
            if (found !== undefined) {
                pages.push(`<li>${found.icon}<a href="${escapeHtml(found.href)}">${found.title}</a></li>`);
            }
        }
    }
    endList();
    return lists.join("");
}
