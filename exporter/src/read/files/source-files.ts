import { bundleFactsFile, isLeftOut } from "@pulumi-static-export/contract";
import { resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, type BigIntStats, type Dirent } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { isWithin } from "./is-within.js";
import { warningsOfFiles } from "./file-warnings.js";
import { type FoundFile, foundFile, FoundFiles, reasonOf } from "./found-files.js";
import { type GitBookSettings, parseGitBookSettings } from "./gitbook-settings.js";
import { IgnoredFiles } from "./ignored-files.js";
import { placeOf } from "./mounted-files.js";
import {
    configFiles,
    gitBookFile,
    isHiddenEntry,
    isNeverPublished,
    isPartial,
    packagesFile,
    skillsFolder,
} from "./published-names.js";
import { byCodePoint, type FileProblem, sortFiles, sortFinishedFiles, type SortedFiles } from "./sorted-files.js";
import { SiteError } from "../../problems/site-error.js";
import { type SiteWarning } from "../../problems/warning-log.js";

export interface SourceFiles extends SortedFiles {
    readonly content: FoundFiles;
    /** Settings files in subfolders, in a fixed order; settings are valid only in the site's own folder. */
    readonly settingsBelow: readonly string[];
    /** GitBook's settings; undefined for a site without them. */
    readonly gitBook: GitBookSettings | undefined;
    /** Hidden settings of other builders, such as those of VitePress; exports do not read them. */
    readonly hiddenSettings: readonly string[];
    readonly leftOut: LeftOutEntries;
    /** Published files that not every system can store or show. */
    readonly warnings: readonly SiteWarning[];
}

/** The hidden and secret entries of a finished site, which are not published. */
export interface LeftOutEntries {
    readonly count: number;
    /** The paths of the first of them; those of folders end in a slash. */
    readonly first: readonly string[];
}

const maxLeftOutPaths = 100;

/** The files of a folder, before they are sorted by their use. */
export interface ScannedSite extends Pick<SourceFiles, "content" | "settingsBelow" | "hiddenSettings" | "leftOut"> {
    /** Links that are left out. */
    readonly problems: readonly FileProblem[];
    /** Whether the files are finished HTML. */
    readonly isFinished: boolean;
}

/**
 * Lists a site's folder. Excludes names that start with `.` (except GitBook's pictures), `node_modules`, configuration
 * files, `excludedDirs`, exported sites, virtual environments of Python and everything in `.mintignore`. Of names that
 * start with `_`, includes only files that pages may import or link to. Follows a link only to files that would be
 * published at the link's path; reports and excludes all others. The links of a mounted ConfigMap count as files. Of a
 * finished site, excludes what {@link isLeftOut} names, `excludedDirs`, and links that lead out of the folder.
 * @throws SiteError if the settings file is a link that is not followed
 */
export async function scanFiles(
    sourceDir: string,
    excludedDirs: readonly string[],
    isFinished: boolean,
    yieldToEventLoop: () => Promise<void>,
): Promise<ScannedSite> {
    const { root: folder, excluded } = findRoot(sourceDir, excludedDirs);
    const gitBook = isFinished ? undefined : findGitBookSettings(folder);
    const root = gitBook?.root ?? folder;
    const scan = new Scan(root, excluded, yieldToEventLoop, isFinished);
    await scan.visit("", root, [root]);
    if (!isFinished) {
        configFiles.forEach((file) => scan.addConfig(file));
    }
    if (gitBook !== undefined) {
        scan.add(gitBookFile, gitBook.target);
    }
    const { files, problems, settingsBelow, hiddenSettings } = scan;
    const leftOut = { count: scan.leftOut.length, first: scan.leftOut.sort(byCodePoint).slice(0, maxLeftOutPaths) };
    return { content: new FoundFiles(root, files), problems, settingsBelow, hiddenSettings, leftOut, isFinished };
}

/**
 * Sorts the files of a site by their use, in a fixed order.
 * @throws SiteError for a name that is not allowed in a bundle, and for a file in a reserved folder
 */
export function sortScanned(scanned: ScannedSite): SourceFiles {
    const { content, problems, isFinished, ...lists } = scanned;
    const { files } = content.scanned;
    const isSkill = (file: string) =>
        file.startsWith(skillsFolder) || (/^skill\.md$/i.test(file) && namesSkill.test(content.readText(file)));
    const gitBook = content.has(gitBookFile) ? parseGitBookSettings(content.readText(gitBookFile)) : undefined;
    const sorted = isFinished
        ? sortFinishedFiles(files.keys(), problems)
        : sortFiles(files, problems, { isSkill, readme: gitBook?.readme });
    return {
        ...sorted,
        content,
        gitBook,
        leftOut: lists.leftOut,
        /** Computed on demand: an export of unchanged sources does not need the warnings. */
        get warnings() {
            return warningsOfFiles(sorted, content);
        },
        settingsBelow: [...lists.settingsBelow].sort(byCodePoint),
        hiddenSettings: [...lists.hiddenSettings].sort(byCodePoint),
    };
}

/** The real paths of the site's folder and of excluded folders. @throws SiteError */
function findRoot(
    sourceDir: string,
    excludedDirs: readonly string[],
): { readonly root: string; readonly excluded: readonly string[] } {
    if (!existsSync(sourceDir)) {
        throw new SiteError(".", undefined, "the site's folder does not exist");
    }
    const root = resolveLinks(sourceDir);
    const excluded = excludedDirs.map((dir) => (existsSync(dir) ? resolveLinks(dir) : dir));
    if (excluded.some((dir) => isWithin(dir, root))) {
        throw new SiteError(".", undefined, "the site's folder is inside a folder that is never published");
    }
    return { root, excluded };
}

/** Finds GitBook's settings, and the folder that they name. A site with a settings file does not need them. */
function findGitBookSettings(folder: string): { readonly target: Target; readonly root: string } | undefined {
    const realPath = join(folder, gitBookFile);
    const stats = lstatSync(realPath, { bigint: true, throwIfNoEntry: false });
    if (
        stats?.isFile() !== true ||
        stats.size > maxGitBookBytes ||
        configFiles.some((file) => existsSync(join(folder, file)))
    ) {
        return undefined;
    }
    const wanted = join(folder, parseGitBookSettings(readFileSync(realPath, "utf8")).root);
    const isFolder = statSync(wanted, { throwIfNoEntry: false })?.isDirectory() === true;
    const root = isFolder ? resolveLinks(wanted) : folder;
    return { target: { realPath, stats }, root: isWithin(folder, root) ? root : folder };
}

/** Larger settings would take most of an export's time. */
const maxGitBookBytes = 1024 * 1024;

/** Whether a folder contains an exported site, which is never a part of the site that is exported. */
export function isEarlierExport(folder: string): boolean {
    return existsSync(join(folder, bundleFactsFile));
}

/** The front matter of a skill; other files of this name are pages. */
const namesSkill = /^---\n(?:(?!---)[^\n]*\n)*?name:/;

/** The real path of a file of the site, and its kind. */
interface Target {
    readonly realPath: string;
    readonly stats: BigIntStats;
}

class Scan {
    readonly files = new Map<string, FoundFile>();
    readonly problems: FileProblem[] = [];
    readonly settingsBelow: string[] = [];
    readonly hiddenSettings: string[] = [];
    readonly leftOut: string[] = [];
    private readonly ignored: IgnoredFiles;
    private readonly rootPrefix: string;

    constructor(
        private readonly root: string,
        private readonly excluded: readonly string[],
        private readonly yieldToEventLoop: () => Promise<void>,
        private readonly isFinished: boolean,
    ) {
        this.rootPrefix = prefixOf(root);
        this.ignored = isFinished ? new IgnoredFiles("") : IgnoredFiles.of(root);
    }

    async visit(folder: string, realFolder: string, ancestors: readonly string[]): Promise<void> {
        await this.yieldToEventLoop();
        if (!this.isFinished && folder !== "" && isEarlierExport(realFolder)) {
            return;
        }
        const prefix = prefixOf(realFolder);
        // Reads all folders in parallel, because waiting for a folder takes longer than reading it.
        const entries = entriesOf(folder, realFolder);
        if (!this.isFinished && entries.some(({ name }) => name === packagesFile)) {
            // The packages of a Python program.
            return;
        }
        for (const entry of entries) {
            if (this.isFinished) {
                const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
                if (isLeftOut(path)) {
                    this.leftOut.push(entry.isDirectory() ? `${path}/` : path);
                    continue;
                }
            } else if (isHiddenEntry(folder, entry.name, entry.isDirectory()) && !isPartial(entry.name)) {
                if (configFiles.includes(entry.name)) {
                    this.addBelow(folder, entry.name);
                } else if (/^\.(?:vitepress|vuepress|eleventy\.[cm]?js|readthedocs\.ya?ml)$/.test(entry.name)) {
                    const path = posix.join(folder, entry.name);
                    const below = entry.isDirectory() ? entriesOf(path, join(realFolder, entry.name)) : [];
                    this.hiddenSettings.push(path, ...below.map(({ name }) => `${path}/${name}`));
                }
                continue;
            }
            const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
            const realPath = prefix + entry.name;
            if (this.excluded.includes(realPath) || this.ignored.has(file, entry.isDirectory())) {
                continue;
            }
            if (entry.isDirectory()) {
                await this.visit(file, realPath, [...ancestors, realPath]);
            } else if (entry.isFile()) {
                this.add(file, { realPath, stats: statsOf(file, realPath) });
            } else if (entry.isSymbolicLink()) {
                const target = this.follow(file, realPath);
                if (typeof target === "string") {
                    this.problems.push({ file, reason: `${target}, so it is left out` });
                } else if (target.stats.isFile()) {
                    this.add(file, target);
                } else if (target.stats.isDirectory() && !ancestors.includes(target.realPath)) {
                    await this.visit(file, target.realPath, [...ancestors, target.realPath]);
                }
            }
        }
    }

    private addBelow(folder: string, name: string): void {
        if (folder !== "" && !isPartial(folder)) {
            this.settingsBelow.push(`${folder}/${name}`);
        }
    }

    /** Settings are read although they are not published. */
    addConfig(configFile: string): void {
        const realPath = join(this.root, configFile);
        const stats = lstatSync(realPath, { bigint: true, throwIfNoEntry: false });
        if (stats === undefined) {
            return;
        }
        const target = stats.isSymbolicLink() ? this.follow(configFile, realPath) : { realPath, stats };
        if (typeof target === "string") {
            throw new SiteError(configFile, undefined, target);
        }
        if (!target.stats.isFile()) {
            throw new SiteError(configFile, undefined, "this is not a file");
        }
        this.add(configFile, target);
    }

    add(file: string, { realPath, stats }: Target): void {
        // macOS may store a name in another Unicode form than the links to it.
        const name = file.normalize("NFC");
        if (this.files.has(name)) {
            const reason = "two files have this name, in two Unicode forms, so one of them is left out";
            this.problems.push({ file: name, reason });
            if (file !== name) {
                return;
            }
        }
        const isOwn = realPath === this.rootPrefix + (sep === "/" ? name : name.replaceAll("/", sep));
        this.files.set(name, foundFile(isOwn ? undefined : realPath, stats));
    }

    /** @returns the target of a link, or the reason why the scan does not follow the link */
    private follow(file: string, link: string): Target | string {
        let realPath: string;
        try {
            realPath = resolveLinks(link);
        } catch {
            return "this link leads nowhere";
        }
        if (!isWithin(this.root, realPath)) {
            return "this link leaves the site's folder, and nothing outside is published";
        }
        const target = relative(this.root, placeOf(realPath, dirname(link)))
            .split(sep)
            .join("/");
        const names = configFiles.includes(file) && posix.basename(target) === file ? posix.dirname(target) : target;
        // "." is the site's folder itself.
        const isHidden = this.isFinished ? isLeftOut : isNeverPublished;
        if ((names !== "." && isHidden(names)) || this.excluded.some((dir) => isWithin(dir, realPath))) {
            return "this link leads to a file or folder that is never published";
        }
        return { realPath, stats: statsOf(file, realPath) };
    }
}

/** The beginning of the paths in a folder; joining each name with `join` takes a tenth of the scan. */
function prefixOf(folder: string): string {
    return folder.endsWith(sep) ? folder : folder + sep;
}

function statsOf(file: string, realPath: string): BigIntStats {
    try {
        return lstatSync(realPath, { bigint: true });
    } catch (error) {
        throw unreadable(file, "file", error as NodeJS.ErrnoException);
    }
}

function entriesOf(folder: string, realFolder: string): Dirent[] {
    try {
        return readdirSync(realFolder, { withFileTypes: true });
    } catch (error) {
        throw unreadable(folder === "" ? "." : folder, "folder", error as NodeJS.ErrnoException);
    }
}

function unreadable(path: string, kind: "file" | "folder", cause: NodeJS.ErrnoException): SiteError {
    const reason = path.includes("\uFFFD") ? "its name is not valid UTF-8: rename it" : reasonOf(cause, kind);
    return new SiteError(path, undefined, reason, { cause });
}
