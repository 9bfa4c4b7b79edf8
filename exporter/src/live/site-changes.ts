import { lstatSync } from "node:fs";
import { type ExportPlan } from "../plan/site-plan.js";
import { type SitePage } from "../plan/site-page.js";
import { type SiteWarning } from "../problems/warning-log.js";
import { type FoundFiles } from "../read/files/found-files.js";
import { mayDecide } from "../read/files/published-names.js";

/** The effect of changed files on the site. */
export interface LiveChange {
    /** `pages`: only the text of some pages has changed; `site`: the site was planned again. */
    readonly kind: "nothing" | "pages" | "site";
    /**
     * Whether a file has changed that pages load without being rendered again, such as a style sheet or a picture.
     */
    readonly isOnAll?: boolean;
    /** The pages that were rendered again, with all their warnings. */
    readonly pages: readonly { readonly file: string; readonly warnings: readonly SiteWarning[] }[];
}

/** Matches files that pages only show or link to. A change to a matching file does not affect the plan of the site. */
export const shownFile = /\.(?:css|png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|woff2?|pdf|txt)$/i;

/** The files of a site that pages import. */
const importedFile = /\.(?:mdx?|[jt]sx)$/i;

/**
 * Finds the parts of a planned site that changed files affect: the changed pages, and "shown" for a file that pages
 * show.
 * @param paths real paths
 * @returns undefined if the site has to be planned again
 */
export function changedParts(plan: ExportPlan, paths: readonly string[]): (SitePage | "shown")[] | undefined {
    const parts = knownFiles(plan.site.content, paths)?.map((file) => changedPart(plan, file));
    return parts?.every((part) => part !== undefined) === true ? parts : undefined;
}

/** The site's files at these paths; undefined if files were added or removed, or may decide about other files. */
function knownFiles(content: FoundFiles, paths: readonly string[]): string[] | undefined {
    const files: string[] = [];
    for (const path of paths) {
        if (mayDecide(path)) {
            return undefined;
        }
        const here = content.filesAt(path);
        if (here.length === 0 && lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
            return undefined;
        }
        if (!here.every((file) => content.refresh(file))) {
            return undefined;
        }
        files.push(...here);
    }
    return files;
}

function changedPart({ site, contents, readAgain }: ExportPlan, file: string): SitePage | "shown" | undefined {
    const page = site.pages.find((each) => each.hasSource && each.file === file);
    if (page === undefined) {
        const isImported = importedFile.test(file) && file !== contents;
        return shownFile.test(file) || isImported ? "shown" : undefined;
    }
    try {
        const now = readAgain(page.route, file);
        return factsOf(now) === factsOf(page) ? now : undefined;
    } catch {
        return undefined;
    }
}

/** Everything about a page, except its text, that the rest of the site depends on. */
function factsOf({ route, meta, title, label, hasSource, subject }: SitePage): string {
    return JSON.stringify([route, meta, title, label, hasSource, subject?.digest]);
}
