import { bundleFactsFile } from "@pulumi-static-export/contract";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The folder of the pages in a project, unless the pages are in the project's folder. */
export const docsFolder = "docs";

/** Files that only the folder of a site contains: its settings, its first page, or its builder's settings. */
const rootFiles = ["docs.json", "mint.json", "index.md", "index.mdx", "index.html", ".static-export.yaml"];

/** Matches the names of pages, but not those of files for contributors, such as README.md. */
const pageName = /^(?!(?:[A-Z_]+|readme|changelog|contributing|security)\.mdx?$).+\.mdx?$/;

/**
 * Finds the folder with a project's pages, relative to the project.
 * @returns `.`, `docs`, or undefined if there are no pages
 */
export function findSite(folder: string): string | undefined {
    if (rootFiles.some((name) => existsSync(join(folder, name)))) {
        return ".";
    }
    if (statSync(join(folder, docsFolder), { throwIfNoEntry: false })?.isDirectory() === true) {
        return docsFolder;
    }
    return existsSync(folder) && readdirSync(folder).some((name) => pageName.test(name)) ? "." : undefined;
}

/** Whether a folder contains unbuilt pages or settings, and neither an exported nor a finished site. */
export function isUnbuilt(folder: string): boolean {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
        return false;
    }
    const names = readdirSync(folder);
    const hasSettings = names.includes("docs.json") || names.includes("mint.json");
    const hasPages = names.some((name) => /\.mdx?$/i.test(name)) && !names.some((name) => /\.html?$/i.test(name));
    return (hasSettings || hasPages) && !existsSync(join(folder, bundleFactsFile));
}
