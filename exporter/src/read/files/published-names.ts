import {
    accessFile,
    bundleFactsFile,
    isPrivateKey,
    maxNameBytes,
    maxNameLevels,
    maxPartBytes,
    type NameFault,
    readEntryName,
} from "@pulumi-static-export/contract";

/** Decides whether a file is published, based on its path. All paths contain forward slashes. */

/** The folder of the export's own styles and scripts; a site must not have files in this folder. */
export const ownFolder = "static-export";

/** Why a file's name is reserved: programs would mistake the site's file for a file of the export. */
export function reservedName(file: string): string | undefined {
    if (file.startsWith(`${ownFolder}/`)) {
        return `the export reserves the name of the folder ${ownFolder}/: rename the folder`;
    }
    if (file.toLowerCase() === accessFile) {
        return (
            `the export reserves the name ${accessFile} in the site's folder for the list of who may read which ` +
            "file: rename the file or move it into a folder"
        );
    }
    return /^_private\/\d+\//.test(file)
        ? "the export reserves the folders _private/1/, _private/2/ … for files for certain readers: rename the folder"
        : undefined;
}

/** The names of settings files; older sites use the second name. */
export const configFiles: readonly string[] = ["docs.json", "mint.json"];

/** The files that exports leave out, in the site's folder. */
export const ignoreFile = ".mintignore";

/** GitBook's settings of a site. */
export const gitBookFile = ".gitbook.yaml";

/** Marks the folder of a Python program's packages, which is not a part of the site. */
export const packagesFile = "pyvenv.cfg";

/** The files that decide which other files a site has and how they are exported, but are not published themselves. */
const decidingFiles = new Set([...configFiles, ignoreFile, gitBookFile, packagesFile, bundleFactsFile]);

/** Whether a file of this name may decide about others, so that a site is planned again when it comes or goes. */
export function mayDecide(path: string): boolean {
    return decidingFiles.has(path.split(/[\\/]/).at(-1)!);
}

const configuration = new Set(["node_modules", "__pycache__", ...configFiles]);

const sourceNames = new Set([
    "package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
    "requirements.txt",
    "pyproject.toml",
    "poetry.lock",
    "uv.lock",
    "go.mod",
    "go.sum",
    "tsconfig.json",
    "jsconfig.json",
    "Makefile",
    "Dockerfile",
    "CODEOWNERS",
    "LICENSE",
    "Thumbs.db",
    "desktop.ini",
]);

/** Matches the settings of a Pulumi project and its stacks, which may contain encrypted secrets. */
const pulumiName = /^Pulumi(?:\..+)?\.(?:ya?ml|json)$/;

/** Matches source code, packed packages, and files that editors and merges leave behind. */
const sourceName = /\.(?:tgz|jsx|[cm]?tsx?|vue|svelte|astro|swp|swo|bak|orig|rej|tmp|iml|code-workspace)$|~$/i;

/**
 * Whether a name in the path marks the file as a part of pages, not a page itself, such as `_install.mdx` or
 * `_images/plan.png`.
 */
export function isPartial(path: string): boolean {
    return /(?:^|\/)_/.test(path);
}

/**
 * Whether a path contains a hidden name, a dependency or the site's configuration, which exports never publish, even if
 * a page links to it.
 */
export function isNeverPublished(path: string): boolean {
    return path.split("/").some((name) => /^[._]/.test(name) || configuration.has(name));
}

const platformFolder = ".mintlify";

/** The folders for a site's agent skills. */
export const skillsFolder = `${platformFolder}/skills/`;

const gitBook = ".gitbook";
const inGitBookAssets = /(?:^|\/)\.gitbook\/assets\//;

/**
 * Whether the scan skips an entry of a folder. GitBook keeps the pictures and downloads of pages in `.gitbook/assets`;
 * the rest of `.gitbook` stays hidden. Of `.mintlify`, only the skills are read.
 */
export function isHiddenEntry(folder: string, name: string, isFolder: boolean): boolean {
    if (folder === platformFolder || (folder === "" && name === platformFolder)) {
        return folder === "" ? !isFolder : name !== "skills";
    }
    if (folder === gitBook || folder.endsWith(`/${gitBook}`)) {
        return name !== "assets" || !isFolder;
    }
    return isNeverPublished(name) && !(name === gitBook && isFolder);
}

/** Whether no export reads an entry of this name, in whichever folder; a watch of the site's folder can skip it. */
export function isUnread(name: string): boolean {
    const isRead = name === gitBook || name === platformFolder || decidingFiles.has(name);
    return !isRead && (name.startsWith(".") || name === "node_modules");
}

/** Whether a file is in GitBook's folder for assets, which contains no pages, whatever the file's name. */
export function isGitBookAsset(path: string): boolean {
    return inGitBookAssets.test(path);
}

/** Whether a file is for people who work on the site. Exports publish the file only if a page links to it. */
export function isPublishedOnlyWhenLinked(path: string): boolean {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return (
        sourceNames.has(name) ||
        sourceName.test(name) ||
        pulumiName.test(name) ||
        isPrivateKey(name) ||
        isGitBookAsset(path)
    );
}

const faults: Readonly<Record<NameFault, string>> = {
    "control-character": "has a control character, such as a line break",
    "broken-character": "has half of a character",
    backslash: "has a backslash, which is a separator on some systems",
    absolute: "begins with a slash",
    drive: "begins like a drive (such as C:)",
    dots: 'has "." or ".." or nothing between slashes',
    "too-deep": `has more than ${maxNameLevels} levels`,
    "long-part": `has a part of more than ${maxPartBytes} bytes`,
    "too-long": `has more than ${maxNameBytes} bytes`,
};

/** What is wrong with a name, so that no bundle may contain a file with it. */
function faultOf(path: string): string | undefined {
    const { parts, fault } = readEntryName(path);
    return fault === undefined && parts.join("/") === path ? undefined : faults[fault ?? "dots"];
}

/** Why a strict unpacker would refuse a bundle with a file at this path; undefined if it accepts the path. */
export function findUnpackableName(path: string): string | undefined {
    const fault = faultOf(path);
    return fault === undefined ? undefined : `its name in the bundle ${fault}: rename or move it`;
}

/** The path of a page in a folder of generated pages, at its longest. */
const longestPage = `/${"x".repeat(maxPartBytes)}/${"x".repeat(maxPartBytes)}/rss.xml`;

/** What is wrong with a folder for generated pages; undefined if exports may write pages there. */
export function problemOfFolder(folder: string): string | undefined {
    if (folder === "") {
        return undefined;
    }
    return (
        faultOf(folder) ??
        (reservedName(`${folder}/1/x`) === undefined ? undefined : "is a folder that the export reserves") ??
        (isNeverPublished(folder) ? "has a part that is never published, like .git and _private" : undefined) ??
        (faultOf(folder + longestPage) === undefined ? undefined : "has no room for the names of pages")
    );
}
