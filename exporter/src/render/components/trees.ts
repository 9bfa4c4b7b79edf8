import { escapeHtml } from "../../text/html-text.js";
import { flag, shownAttribute, styles } from "./attributes.js";
import { type Component, type ComponentUse } from "./component.js";
import { word } from "../../words/words.js";

/** Writes a tree of folders and files, which may come from a Markdown list. */
const tree: Component = (use) =>
    `<div class="tree" role="group" aria-label="${word("files")}"${styles([], use)}>${use.children()}</div>`;

function nameOf(use: ComponentUse): string {
    const shown = shownAttribute(use, "name", (name) => {
        use.context.search.add(` ${name} `);
        return escapeHtml(name);
    });
    return flag(use, "highlight") ? `<mark>${shown ?? ""}</mark>` : (shown ?? "");
}

const folder: Component = (use) => {
    const name = nameOf(use);
    if (use.attributes["openable"] === false) {
        return `<div class="tree-folder"><span>${name}</span><div>${use.children()}</div></div>`;
    }
    const open = flag(use, "defaultOpen") ? " open" : "";
    return `<details class="tree-folder"${open}><summary>${name}</summary><div>${use.children()}</div></details>`;
};

const file: Component = (use) => `<div class="tree-file">${nameOf(use)}</div>`;

export const treeComponents: readonly [string, Component][] = [
    ["Tree", tree],
    ["FileTree", tree],
    ["Tree.Folder", folder],
    ["FileTree.Folder", folder],
    ["Tree.File", file],
    ["FileTree.File", file],
];
