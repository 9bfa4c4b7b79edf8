import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "./decode-text.js";
import { type FoundFiles } from "./found-files.js";
import { byCodePoint } from "./sorted-files.js";

interface Preset {
    readonly builder: string;
    /** Matches the name of the builder's settings in its folder. */
    readonly settings: RegExp;
    /** The text of the settings, or of `file`, if other programs have settings of the same name. */
    readonly proof?: { readonly text: RegExp; readonly file?: string };
    /** `SETTINGS` is the name of the settings. */
    readonly command: string;
    /** The folder that the command writes. */
    readonly output: string;
}

/** The usual command of each builder, which the guide "Your builder" lists, too; programs for API pages are last. */
export const presets: readonly Preset[] = [
    {
        builder: "Docusaurus",
        settings: /^docusaurus\.config\.[cm]?[jt]s$/,
        command: "npx docusaurus build",
        output: "build",
    },
    {
        builder: "Astro or Starlight",
        settings: /^astro\.config\.[cm]?[jt]s$/,
        command: "npx astro build",
        output: "dist",
    },
    {
        builder: "VitePress",
        settings: /^\.vitepress\/config(?:\.[cm]?[jt]s)?$/,
        command: "npx vitepress build",
        output: ".vitepress/dist",
    },
    {
        builder: "VuePress",
        settings: /^\.vuepress\/config(?:\.[cm]?[jt]s)?$/,
        command: "npx vuepress build",
        output: ".vuepress/dist",
    },
    {
        builder: "Rspress",
        settings: /^rspress\.config\.[cm]?[jt]s$/,
        command: "npx rspress build",
        output: "doc_build",
    },
    { builder: "Zensical", settings: /^zensical\.toml$/, command: "zensical build", output: "site" },
    { builder: "MkDocs", settings: /^mkdocs\.ya?ml$/, command: "mkdocs build", output: "site" },
    { builder: "Sphinx", settings: /^conf\.py$/, command: "sphinx-build . _build/html", output: "_build/html" },
    {
        builder: "Hugo",
        settings: /^(?:config\/_default\/)?hugo\.(?:toml|ya?ml|json)$/,
        command: "hugo",
        output: "public",
    },
    {
        builder: "Hugo",
        settings: /^(?:config\/_default\/)?config\.(?:toml|ya?ml|json)$/,
        proof: { text: /^[ \t"{]*baseURL\b/im },
        command: "hugo",
        output: "public",
    },
    { builder: "mdBook", settings: /^book\.toml$/, command: "mdbook build", output: "book" },
    {
        builder: "Eleventy",
        settings: /^(?:eleventy\.config\.[cm]?[jt]s|\.eleventy\.[cm]?js)$/,
        command: "npx @11ty/eleventy",
        output: "_site",
    },
    {
        builder: "Next.js or Nextra",
        settings: /^next\.config\.[cm]?[jt]s$/,
        proof: { text: /\boutput["']?\s*[:=]\s*["'`]export/ },
        command: "npx next build",
        output: "out",
    },
    { builder: "Nuxt", settings: /^nuxt\.config\.[cm]?[jt]s$/, command: "npx nuxt generate", output: ".output/public" },
    { builder: "Gatsby", settings: /^gatsby-config\.[cm]?[jt]s$/, command: "npx gatsby build", output: "public" },
    { builder: "Zola", settings: /^zola\.toml$/, command: "zola build", output: "public" },
    {
        builder: "Zola",
        settings: /^config\.toml$/,
        proof: { text: /^[ \t]*base_url\b/m },
        command: "zola build",
        output: "public",
    },
    {
        builder: "Hexo",
        settings: /^_config\.ya?ml$/,
        proof: { file: "package.json", text: /"hexo"\s*:/ },
        command: "npx hexo generate",
        output: "public",
    },
    { builder: "Jekyll", settings: /^_config\.ya?ml$/, command: "bundle exec jekyll build", output: "_site" },
    {
        builder: "HonKit",
        settings: /^book\.js(?:on)?$/,
        proof: { file: "package.json", text: /"honkit"\s*:/ },
        command: "npx honkit build",
        output: "_book",
    },
    {
        builder: "Antora",
        settings: /^[\w.-]+\.ya?ml$/,
        proof: { text: /^content: *\n +sources:/m },
        command: "npx antora SETTINGS",
        output: "build/site",
    },
    { builder: "DocFX", settings: /^docfx\.json$/, command: "docfx", output: "_site" },
    {
        builder: "TypeDoc",
        settings: /^typedoc\.(?:json|[cm]?js)$/,
        command: "npx typedoc --out _typedoc",
        output: "_typedoc",
    },
    { builder: "Doxygen", settings: /^Doxyfile$/, command: "doxygen", output: "html" },
];

/** Folders of a repository in which its documentation usually is, after the repository's own. */
const folders = ["", "docs/", "doc/", "website/", "site/", "docs/source/", "doc/source/"];

/** Settings of another builder, and how to export the site with it. */
export interface OtherBuilder {
    readonly file: string;
    readonly reason: string;
}

/**
 * Explains how to export a site with the builder whose settings are among its files.
 * @param hidden names of files and folders that exports do not read
 */
export function proposeBuilder(content: FoundFiles, hidden: readonly string[]): OtherBuilder | undefined {
    const textOf = (file: string) =>
        content.has(file) && content.bytesOf(file) <= maxBytes ? content.readText(file) : "";
    const found = findPreset([...content.names(), ...hidden], textOf);
    if (found === undefined) {
        return undefined;
    }
    const { builder, file, baseFolder, command, outputFolder } = found;
    const base = baseFolder === "." ? "" : `--base-folder ${baseFolder} `;
    const isForReadTheDocs = ["MkDocs", "Sphinx"].includes(builder) && hidden.some(isReadTheDocsFile);
    // The file of Read the Docs has the command.
    const options = isForReadTheDocs ? "--command" : `${base}--command "${command}" --output-folder ${outputFolder}`;
    const reason =
        `these are settings of ${builder}, which renders the site with all of its features: static-export ` +
        `build FOLDER ${options}`;
    return { file, reason };
}

/** Names the usual settings of the builder whose own settings are in a folder. */
export function proposeBuildSettings(folder: string): string | undefined {
    const names = namesBelow(folder, 3);
    const textOf = (file: string) => {
        const stats = lstatSync(join(folder, file), { throwIfNoEntry: false });
        return stats?.isFile() === true && stats.size <= maxBytes ? decodeText(readFileSync(join(folder, file))) : "";
    };
    const found = findPreset(names, textOf);
    if (found === undefined) {
        return undefined;
    }
    const { builder, file, baseFolder, command, outputFolder } = found;
    const base = baseFolder === "." ? "" : `, baseFolder: ${baseFolder}`;
    const settings = `{ command: ${command}, outputFolder: ${outputFolder}${base} }`;
    return `${file} is a file of ${builder}, whose usual settings are build: ${settings}`;
}

interface FoundPreset {
    readonly builder: string;
    readonly file: string;
    readonly baseFolder: string;
    readonly command: string;
    readonly outputFolder: string;
}

/** @param textOf the text of a file; empty if it is not a small file */
function findPreset(names: readonly string[], textOf: (file: string) => string): FoundPreset | undefined {
    const sorted = [...names].sort(byCodePoint);
    const namesIn = folders.map((folder) => {
        const below = sorted.filter((name) => name.startsWith(folder)).map((name) => name.slice(folder.length));
        // Settings are at most two folders below their own.
        return [folder, below.filter((name) => name.split("/", 4).length < 4)] as const;
    });
    for (const { builder, settings, proof, command, output } of presets) {
        for (const [folder, below] of namesIn) {
            const isProven = (name: string) =>
                proof === undefined || proof.text.test(textOf(folder + (proof.file ?? name)));
            const name = below.find((each) => settings.test(each) && isProven(each));
            if (name !== undefined) {
                return {
                    builder,
                    file: folder + name,
                    baseFolder: folder === "" ? "." : folder.slice(0, -1),
                    command: command.replace("SETTINGS", name),
                    outputFolder: output,
                };
            }
        }
    }
    return undefined;
}

/** The names in a folder of any size, without those of packages and of git. */
function namesBelow(root: string, depth: number, folder = ""): string[] {
    const entries = readdirSync(join(root, folder), { withFileTypes: true }).slice(0, maxNames);
    return entries.flatMap((entry) => {
        const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
        const isSearched = entry.isDirectory() && depth > 1 && !["node_modules", ".git"].includes(entry.name);
        return [name, ...(isSearched ? namesBelow(root, depth - 1, name) : [])];
    });
}

/** The number of names of a folder in which settings of builders are looked for. */
const maxNames = 1000;

function isReadTheDocsFile(file: string): boolean {
    return /^\.readthedocs\.ya?ml$/.test(file);
}

/** Longer files are not settings. */
const maxBytes = 100_000;

/** Advice on an output folder that does not exist: the usual ones that have a home page. @param base of the command */
export function adviceOnOutput(base: string): string {
    const found = [...new Set(presets.map(({ output }) => output))].filter((output) =>
        existsSync(join(base, output, "index.html")),
    );
    return found.length === 0 ? "" : `, to ${found.join(" or ")} for example, which has an index.html`;
}
