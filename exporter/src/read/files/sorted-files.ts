import { bundleFactsFile } from "@pulumi-static-export/contract";
import { posix } from "node:path";
import { SiteError } from "../../problems/site-error.js";
import { toOneLine } from "../../text/strings.js";
import { type FoundFile } from "./found-files.js";
import {
    configFiles,
    findUnpackableName,
    gitBookFile,
    isGitBookAsset,
    isPartial,
    isPublishedOnlyWhenLinked,
    reservedName,
} from "./published-names.js";
import { homeRoute, isPageFile, isReadme, ownRouteOfFile, routeOfFile } from "./routes.js";

/** Files that pages import, but that are not pages and are not published. */
const importable = /\.(?:mdx?|[cm]?[jt]sx?|json)$/i;

export interface FileProblem {
    readonly file: string;
    readonly reason: string;
}

/** The files of a site by their use. */
export interface SortedFiles {
    /** Page files by route, relative to the site's folder, with forward slashes. */
    readonly pages: ReadonlyMap<string, string>;
    /**
     * Additional page files of folders that already have a page, by separate routes. The export includes the additional
     * pages only if the navigation names them.
     */
    readonly secondPages: ReadonlyMap<string, string>;
    /** Files of the site's skills for agents. */
    readonly skills: readonly string[];
    /** Files other than pages and skills, which are published unchanged. */
    readonly assets: readonly string[];
    /** The assets that are published only if a page links to them. */
    readonly onlyWhenLinked: ReadonlySet<string>;
    /** Files that are left out because another file has the same address. */
    readonly problems: readonly FileProblem[];
}

export function byCodePoint(a: string, b: string): number {
    return a < b ? -1 : a > b ? 1 : 0;
}

/** The roles of files that their names do not show. */
interface FileRoles {
    /** Whether a file describes what agents can do with the site's subject. */
    readonly isSkill: (file: string) => boolean;
    /** The site's first page, according to GitBook's settings. */
    readonly readme: string | undefined;
}

/**
 * @throws SiteError for a page whose name is not allowed in a bundle, and for files in a reserved folder
 */
export function sortFiles(
    found: ReadonlyMap<string, FoundFile>,
    linkProblems: readonly FileProblem[],
    { isSkill, readme }: FileRoles,
): SortedFiles {
    const skills: string[] = [];
    const pages = new Map<string, string>();
    const secondPages = new Map<string, string>();
    const readmes: string[] = [];
    const assets: string[] = [];
    const problems = [...linkProblems].sort((a, b) => byCodePoint(a.file, b.file));
    const addPage = (route: string, file: string): void => {
        const other = pages.get(route);
        const own = ownRouteOfFile(file);
        if (other === undefined) {
            pages.set(route, file);
        } else if (ownRouteOfFile(other) !== own && !secondPages.has(own)) {
            secondPages.set(own, file);
        } else {
            problems.push({ file, reason: `${other} is already the page ${route}, so this file is left out` });
        }
    };
    if (readme !== undefined && found.has(readme) && isPageFile(readme)) {
        pages.set(homeRoute, readme);
    }
    for (const file of [...found.keys()].sort(byCodePoint)) {
        if (
            configFiles.includes(file) ||
            file === gitBookFile ||
            pages.get(homeRoute) === file ||
            (isPartial(file) && importable.test(file))
        ) {
            continue;
        }
        const problem = findUnpackableName(file);
        if (problem !== undefined) {
            if (isPageFile(file)) {
                throw new SiteError(file, undefined, problem);
            }
            problems.push({ file: toOneLine(file), reason: `${problem}. Until then, the file is left out` });
            continue;
        }
        if (isSkill(file)) {
            skills.push(file);
            continue;
        }
        const reserved = reservedName(file);
        if (reserved !== undefined) {
            throw new SiteError(file, undefined, reserved);
        } else if (!isPageFile(file) || isGitBookAsset(file)) {
            assets.push(file);
        } else if (isReadme(file)) {
            readmes.push(file);
        } else {
            addPage(routeOfFile(file), file);
        }
    }
    // GitHub shows a README for a folder. The README is the folder's page if the folder has no other page.
    for (const file of readmes) {
        addPage(routeOfFile(posix.join(posix.dirname(file), "index.md")), file);
    }
    const onlyWhenLinked = assets.filter(
        (file) =>
            isPartial(file) ||
            isPublishedOnlyWhenLinked(file) ||
            isPublishedOnlyWhenLinked(found.get(file)?.realPath ?? file),
    );
    return {
        pages,
        secondPages,
        skills: skills.sort((one, other) => Number(one.startsWith(".")) - Number(other.startsWith("."))),
        assets,
        onlyWhenLinked: new Set(onlyWhenLinked),
        problems,
    };
}

/** The files of a finished site, which are all published unchanged. @throws SiteError for files in a reserved folder */
export function sortFinishedFiles(files: Iterable<string>, linkProblems: readonly FileProblem[]): SortedFiles {
    const problems = [...linkProblems].sort((a, b) => byCodePoint(a.file, b.file));
    const assets = [...files].sort(byCodePoint).filter((file) => {
        const problem = findUnpackableName(file);
        if (problem !== undefined) {
            problems.push({ file: toOneLine(file), reason: `${problem}. Until then, the file is left out` });
        }
        return problem === undefined;
    });
    for (const file of assets) {
        if (file === bundleFactsFile) {
            throw new SiteError(file, undefined, "the folder is already an export: publish it as it is");
        }
        const reserved = reservedName(file);
        if (reserved !== undefined) {
            throw new SiteError(file, undefined, reserved);
        }
    }
    return { pages: new Map(), secondPages: new Map(), skills: [], assets, onlyWhenLinked: new Set(), problems };
}
