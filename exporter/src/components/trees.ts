import { escapeHtml } from "../text/html-text.js";
import { flag, shownAttribute, styles } from "./attributes.js";
import { type Component, type Components, type ComponentText, type ComponentUse } from "./component.js";
import { contentText, listItem } from "./markdown-text.js";
import { word } from "../words/words.js";

/** A tree of folders and files, which may come from a Markdown list. */
const tree: Component = {
    html: (use) =>
        `<div class="tree" role="group" aria-label="${word("files")}"${styles([], use)}>${use.children()}</div>`,
    text: contentText,
};

function nameOf(use: ComponentUse): string {
    const shown = shownAttribute(use, "name", (name) => {
        use.context.search.add(` ${name} `);
        return escapeHtml(name);
    });
    return flag(use, "highlight") ? `<mark>${shown ?? ""}</mark>` : (shown ?? "");
}

function folderHtml(use: ComponentUse): string {
    const name = nameOf(use);
    if (use.attributes["openable"] === false) {
        return `<div class="tree-folder"><span>${name}</span><div>${use.children()}</div></div>`;
    }
    const open = flag(use, "defaultOpen") ? " open" : "";
    return `<details class="tree-folder"${open}><summary>${name}</summary><div>${use.children()}</div></details>`;
}

export const treeItemText: ComponentText = ({ attribute, inner }) =>
    listItem("- ", `${attribute("name", "label") ?? ""}${inner === "" ? "" : "/"}`, inner, "\n");

const folder: Component = { html: folderHtml, text: treeItemText, isListed: true };

const file: Component = {
    html: (use) => `<div class="tree-file">${nameOf(use)}</div>`,
    text: treeItemText,
    isListed: true,
};

export const treeComponents: Components = {
    Tree: tree,
    FileTree: tree,
    Files: { sameAs: "Tree", mayBe: "html" },
    "Tree.Folder": folder,
    "FileTree.Folder": folder,
    Folder: { sameAs: "Tree.Folder", mayBe: "html" },
    "Tree.File": file,
    "FileTree.File": file,
    File: { sameAs: "Tree.File", mayBe: "html" },
};
