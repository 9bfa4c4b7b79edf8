import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { configFiles, isHiddenInFinishedSite } from "./published-names.js";
import { isPageFile } from "./routes.js";

/** Whether a folder contains the output of a site's builder: `index.html`, no Markdown, and no settings of a site. */
export function isFinishedSite(sourceDir: string, excludedDirs: readonly string[]): boolean {
    const isFile = (name: string) => statSync(join(sourceDir, name), { throwIfNoEntry: false })?.isFile() === true;
    return isFile("index.html") && !configFiles.some(isFile) && !hasMarkdown(realpathSync(sourceDir), excludedDirs);
}

function hasMarkdown(root: string, excludedDirs: readonly string[]): boolean {
    const visit = (folder: string): boolean =>
        readdirSync(join(root, folder), { withFileTypes: true }).some((entry) => {
            const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
            if (isHiddenInFinishedSite(path) || excludedDirs.includes(join(root, path))) {
                return false;
            }
            return entry.isDirectory() ? visit(path) : isPageFile(path);
        });
    return visit("");
}
