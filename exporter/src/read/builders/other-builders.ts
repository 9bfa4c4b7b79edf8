import { lstatSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import type * as Yaml from "yaml";
import { type SourceFiles } from "../files/source-files.js";
import { IgnoredFiles } from "../files/ignored-files.js";
import { homeRoute } from "../files/routes.js";
import { asRecord, listOf, textOf, withoutUndefined } from "../../text/json-values.js";
import { lazyModule } from "../../text/lazy-module.js";
import { BuilderPages } from "./builder-pages.js";
import { docsOptions, fromDocusaurus } from "./docusaurus.js";
import { fromMkDocs } from "./mkdocs.js";
import { evaluateSettings, type LostParts } from "./settings-engine.js";
import { fromStarlight } from "./starlight.js";
import { fromVitePress } from "./vitepress.js";

/** The converted settings of a site that was written for another builder. */
export interface OtherSettings {
    /** The settings file, relative to the builder's folder. */
    readonly file: string;
    /** As in `docs.json`. */
    readonly value: Readonly<Record<string, unknown>>;
    /** The folder with the site's pages, if it is not the site's own folder. */
    readonly pagesFolder?: string;
    /** Files that the settings exclude from the builder's site. */
    readonly excluded: ReadonlySet<string>;
    /** Why some settings could not be read, and what to do. */
    readonly problems: readonly string[];
    /** The settings files, and missing files that the settings import, relative to the site's folder. */
    readonly sources: readonly string[];
}

const yaml = lazyModule<typeof Yaml>("yaml");

const maxBytes = 512 * 1024;

/** Matches the title of a site in settings that cannot be evaluated. */
const writtenTitle =
    /^\s*(?:export\s+const\s+)?(?:title|site_name)\s*[:=]\s*(["'`])((?:(?!\1)[^\\\n$])+)\1\s*(?:,\s*)?$/m;

type Read = (file: string) => string | undefined;

interface Builder {
    /** The names of the builder's settings file. */
    readonly names: readonly string[];
    /** The builder's default folder for pages, relative to the folder with the settings. */
    readonly pagesFolder: string;
    /** Returns the pages' folder that the settings name, relative to the settings' folder. */
    pagesFolderIn?(settings: unknown): string | undefined;
    /** Patterns of files in the pages' folder that the settings exclude, in the syntax of `.gitignore`. */
    excludedBy?(settings: unknown): readonly string[];
    /** Whether the pages' addresses begin with the pages' folder. */
    readonly isFolderInAddress?: boolean;
    /** The folders in which some projects have their settings, relative to the folder of the pages. */
    readonly settingsFolders?: readonly string[];
    convert(
        settings: unknown,
        site: {
            readonly files: SourceFiles;
            readonly read: Read;
            readonly lost: LostParts;
            readonly folder: string;
            /** The site's folder, relative to the folder with the settings. */
            readonly pagesPath: string;
        },
    ): Promise<Readonly<Record<string, unknown>> | undefined>;
}

const scripts = (name: string) => ["ts", "mts", "js", "mjs", "cjs"].map((ending) => `${name}.${ending}`);

const builders: readonly Builder[] = [
    {
        names: [...scripts(".vitepress/config"), ...scripts(".vitepress/config/index")],
        pagesFolder: "",
        pagesFolderIn: (settings) => textOf(asRecord(settings)["srcDir"]),
        excludedBy: (settings) => globsOf(asRecord(settings)["srcExclude"]),
        convert: (settings, { files, folder }) => Promise.resolve(fromVitePress(settings, pagesIn(files, folder))),
    },
    {
        names: scripts("astro.config"),
        pagesFolder: "src/content/docs",
        convert: (settings, { files, folder }) =>
            Promise.resolve(fromStarlight(settings, pagesIn(files, folder), [...files.pages.keys()])),
    },
    {
        names: scripts("docusaurus.config"),
        pagesFolder: "docs",
        isFolderInAddress: true,
        excludedBy: (settings) => globsOf(docsOptions(settings)["exclude"]),
        settingsFolders: ["../website", "../packages/website", "../apps/website"],
        convert: async (settings, { files, read, lost, folder, pagesPath }) => {
            const { path, sidebarPath } = docsOptions(settings);
            if (pagesPath.startsWith("..") && posix.normalize(textOf(path) ?? "docs") !== pagesPath) {
                return undefined;
            }
            const named = typeof sidebarPath === "string" ? [posix.normalize(sidebarPath).replace(/^\/+/, "")] : [];
            const file = [...named, ...scripts("sidebars"), "sidebars.json"].find((name) => read(name) !== undefined);
            const sidebars = file === undefined ? undefined : await evaluateSettings(file, read, lost);
            return fromDocusaurus(settings, sidebars, pagesIn(files, folder));
        },
    },
    {
        names: ["mkdocs.yml", "mkdocs.yaml"],
        pagesFolder: "docs",
        excludedBy: (settings) =>
            ["exclude_docs", "draft_docs"].flatMap((key) => textOf(asRecord(settings)[key])?.split("\n") ?? []),
        convert: (settings, { files, folder }) => Promise.resolve(fromMkDocs(settings, pagesIn(files, folder))),
    },
];

/**
 * Reads another builder's settings for a site without a `docs.json`: from the site's folder, or from the folder around
 * it if the site's folder is the builder's folder for pages (`docs`, `src/content/docs`).
 * @param sourceDir a real path
 * @param onPage called with a file before it is evaluated, and with undefined after it
 */
export async function readOtherSettings(
    sourceDir: string,
    files: SourceFiles,
    onPage: ((file: string | undefined) => void) | undefined,
): Promise<OtherSettings | undefined> {
    for (const builder of builders) {
        for (const root of placesOf(sourceDir, builder)) {
            const found = new Set<string>();
            const read: Read = (file) => {
                const text = readFileIn(root, file);
                if (text !== undefined) {
                    found.add(file);
                }
                return text;
            };
            const file = builder.names.find((name) => read(name) !== undefined);
            if (file === undefined) {
                continue;
            }
            const pages = join(root, builder.pagesFolder);
            const inSite = relative(sourceDir, pages).split(sep).join("/");
            const folderWithPages = (name: string) =>
                [...files.pages.values()].some((each) => each.startsWith(`${name}/`)) ? name : "";
            let folder = folderWithPages(inSite);
            const place = () => (folder === "" || builder.isFolderInAddress === true ? {} : { pagesFolder: folder });
            const pagesPath = relative(root, sourceDir).split(sep).join("/");
            const text = read(file) ?? "";
            const lost: LostParts = { files: new Set(), modules: new Set() };
            const sourcesNow = () =>
                [...found, ...lost.files].map((each) => relative(sourceDir, join(root, each)).split(sep).join("/"));
            onPage?.(file);
            try {
                const settings = /\.ya?ml$/.test(file) ? parseYaml(text) : await evaluateSettings(file, read, lost);
                const own = builder.pagesFolderIn?.(settings);
                folder = own === undefined ? folder : folderWithPages(posix.join(folder, own).replace(/\/$/, ""));
                const excluded = excludedFiles(builder.excludedBy?.(settings) ?? [], file, folder, files);
                const others = { ...place(), excluded };
                const site = { files: filesOfBuilder(files, others), read, lost, folder, pagesPath };
                const value = await builder.convert(settings, site);
                if (value !== undefined) {
                    const sources = sourcesNow();
                    return {
                        file,
                        value: completed(value, files),
                        ...others,
                        problems: problemsOf(lost),
                        sources,
                    };
                }
            } catch (error) {
                const name = writtenTitle.exec(text)?.[2];
                const reason = (error as Error).message.split("\n", 1)[0];
                const problem =
                    "the settings in this file of another builder cannot be read without a server, a package or the " +
                    `network (${reason}): write a docs.json with the title and the navigation`;
                const value = withoutUndefined({ name });
                return { file, value, ...place(), excluded: new Set(), problems: [problem], sources: sourcesNow() };
            } finally {
                onPage?.(undefined);
            }
        }
    }
    return undefined;
}

function problemsOf({ files, modules }: LostParts): string[] {
    const lost = [...files, ...modules];
    const reason =
        `the settings need files or modules that are not there or cannot be read (${lost.join(", ")}): their part ` +
        "is missing. Generate such files before the export, or write a docs.json";
    return lost.length === 0 ? [] : [reason];
}

/** Globs, which begin at the folder of the pages, as patterns of `.gitignore`. */
function globsOf(globs: unknown): string[] {
    return listOf(globs)
        .filter((glob) => typeof glob === "string")
        .map((glob) => `${glob.startsWith("!") ? "!" : ""}/${glob.replace(/^!?(?:\.?\/)?/, "")}`);
}

/** @param folder of the pages */
function excludedFiles(
    patterns: readonly string[],
    settingsFile: string,
    folder: string,
    { pages, secondPages, assets }: SourceFiles,
): Set<string> {
    const rules = new IgnoredFiles(patterns.join("\n"), settingsFile);
    const start = folder === "" ? "" : `${folder}/`;
    const all = patterns.length === 0 ? [] : [...pages.values(), ...secondPages.values(), ...assets];
    return new Set(all.filter((file) => file.startsWith(start) && rules.hasBelow(file.slice(start.length))));
}

/** The files that another builder publishes. */
export function filesOfBuilder(
    files: SourceFiles,
    { pagesFolder = "", excluded }: Pick<OtherSettings, "pagesFolder" | "excluded">,
): SourceFiles {
    const { pages, secondPages, assets } = files;
    const without = (all: ReadonlyMap<string, string>) => new Map([...all].filter(([, file]) => !excluded.has(file)));
    const rest = {
        ...files,
        pages: without(pages),
        secondPages: without(secondPages),
        assets: assets.filter((file) => !excluded.has(file)),
    };
    return withPagesOf(pagesFolder, excluded.size === 0 ? files : rest);
}

/**
 * A builder's project has its pages in one folder, and the pages' addresses do not contain that folder. Markdown files
 * outside of this folder are not pages, and other files outside of this folder are published only if a page shows or
 * links to them.
 * @param folder empty for the site's own folder
 */
function withPagesOf(folder: string, files: SourceFiles): SourceFiles {
    if (folder === "") {
        return files;
    }
    const isOutside = (file: string) => !file.startsWith(`${folder}/`);
    const inFolder = (pages: ReadonlyMap<string, string>) =>
        new Map(
            [...pages]
                .filter(([, file]) => !isOutside(file))
                .map(([route, file]) => [route === folder ? homeRoute : route.slice(folder.length + 1), file]),
        );
    return {
        ...files,
        pages: inFolder(files.pages),
        secondPages: inFolder(files.secondPages),
        onlyWhenLinked: new Set([...files.onlyWhenLinked, ...files.assets.filter(isOutside)]),
    };
}

/**
 * Returns the folder that the author should export instead, given another builder's settings in a subfolder.
 * @param file the path of the settings
 * @param pages the paths of the page files
 */
export function folderOfSettings(file: string, pages: Iterable<string>): string {
    const places = builders.flatMap(({ names, pagesFolder }) => names.map((name) => ({ name, pagesFolder })));
    const { name, pagesFolder } = places.find((each) => file.endsWith(`/${each.name}`)) ?? {
        name: posix.basename(file),
        pagesFolder: "",
    };
    const folder = file.slice(0, -name.length - 1);
    const inside = posix.join(folder, pagesFolder);
    return [...pages].some((page) => page.startsWith(`${inside}/`)) ? inside : folder;
}

/**
 * Other builders search all pages, even those outside of the navigation. A logo may be outside of the pages' folder.
 */
function completed(
    value: Readonly<Record<string, unknown>>,
    { assets }: SourceFiles,
): Readonly<Record<string, unknown>> {
    const { logo, ...others } = value;
    const hasLogo = Object.values(asRecord(logo)).every((path) => assets.includes(String(path).slice(1)));
    return { ...others, ...(hasLogo && logo !== undefined && { logo }), seo: { indexing: "all" } };
}

/**
 * The folders that may contain the builder's settings: the site's folder and, if it is the builder's folder for pages,
 * related folders.
 */
function placesOf(sourceDir: string, { pagesFolder, settingsFolders = [] }: Builder): string[] {
    const isPages = pagesFolder !== "" && sourceDir.endsWith(`${sep}${pagesFolder.split("/").join(sep)}`);
    const around = pagesFolder.split("/").reduce((folder) => dirname(folder), sourceDir);
    const others = settingsFolders.map((folder) => join(sourceDir, folder));
    return [sourceDir, ...(isPages ? [around, ...others] : [])];
}

function pagesIn(files: SourceFiles, folder: string): BuilderPages {
    return new BuilderPages(files.pages, files.content, folder);
}

function readFileIn(root: string, file: string): string | undefined {
    const path = join(root, file);
    // Does not follow links, because their targets could be anywhere.
    const stats = posix.normalize(file).startsWith("..") ? undefined : lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.size <= maxBytes ? readFileSync(path, "utf8") : undefined;
}

/** MkDocs's YAML tags for code have no meaning here. */
function parseYaml(text: string): unknown {
    return yaml().parse(text, { logLevel: "silent", maxAliasCount: 10 });
}
