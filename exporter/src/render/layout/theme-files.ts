import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { digestInName } from "../../text/digest-in-name.js";
import { packageFolder } from "../../text/package-folder.js";
import { type ExportFeatures } from "../../read/settings/deployment.js";
import { type SiteSettings } from "../../read/settings/site-settings.js";
import { loadsServices } from "../../read/settings/describe-integrations.js";
import { wordsOfAssistant } from "../../words/words.js";
import { engineProgram } from "../script/script-engine.js";
import { ownFolder } from "../../read/files/published-names.js";
import { integrationOf } from "../../read/settings/integration-table.js";
import { type SiteIntegrations } from "../../read/settings/read-integrations.js";

/** Paths and contents of the theme's files in the export. */
export interface ThemeFiles {
    readonly styles: string;
    readonly script: string;
    readonly search: string;
    /** The folder of the search index, and of the text that results show. */
    readonly searchFolder: string;
    /** Draws diagrams; written only for a site with diagrams. */
    readonly diagrams: string;
    /** The Tailwind classes that pages use; written only for a site that uses Tailwind classes. */
    readonly utilities: string;
    /** The deployment's feature flags, which a server may replace; empty if no flag has an effect. */
    readonly features: string;
    /** The script that sends requests from pages of an API. */
    readonly tryIt: string;
    /** The script that unfolds lists of pages; written only for a site with lists that are too long for its pages. */
    readonly lists: string;
    readonly listScript: string;
    /** The folder of the entries that long lists omit. */
    readonly listFolder: string;
    /** The script that loads the site's third-party services; empty for a site without third-party services. */
    readonly analytics: string;
    /** The script that shows signed-in readers their additional pages; empty for a site without private pages. */
    readonly readers: string;
    /** The folders of all private parts; the one with the most pages is first. */
    readonly parts: readonly string[];
    /** The folder of the part that contains the page; undefined for the part for everybody. */
    readonly part?: string;
    readonly contents: ReadonlyMap<string, string>;
}

/** The file's name never changes, so that a server can serve another file at the same address. */
const featuresFile = `${ownFolder}/features.js`;

const themeDir = new URL("theme/", packageFolder);

/** Written by `bundle-processes.mjs`. */
const searchIndex = "../dist/bundled/search-index.mjs";
const cutText = "../dist/bundled/cut-text.mjs";
const tryItForm = "../dist/bundled/try-it.mjs";
const notices = new URL("dist/bundled/site-notices.txt", packageFolder);

/** Matches indentation, which is a fifth of the theme. */
const indentation = /^ +/gm;
/** Matches comments on separate lines, except licences: a seventh of the code that browsers load. */
const wholeComments = /^(?:\/\/.*|\/\*(?!!)[^]*?\*\/)\n/gm;

/**
 * Reads the theme's files, whose names contain a hash of the content, so that hosts may let browsers cache the files
 * forever.
 */
export async function readTheme(
    features: ExportFeatures,
    { integrations, pageMenu }: SiteSettings,
    parts: readonly string[],
    domain: string,
): Promise<ThemeFiles> {
    const { search, tryIt, assistant, mcp } = features;
    const contents = new Map<string, string>();
    const read = async (name: string, sources = [name], before = ""): Promise<[path: string, content: string]> => {
        const texts = await Promise.all(sources.map((source) => readFile(new URL(source, themeDir), "utf8")));
        const content = before + texts.join("").replace(indentation, "").replace(wholeComments, "");
        const path = `${ownFolder}/${name.replace(".", `.${digestInName(content)}.`)}`;
        return [path, content];
    };
    const add = async (name: string, isNeeded = true, sources = [name], before = ""): Promise<string> => {
        if (!isNeeded) {
            return "";
        }
        const [path, content] = await read(name, sources, before);
        contents.set(path, content);
        return path;
    };
    const hasSwitches = search || tryIt || assistant;
    if (hasSwitches) {
        contents.set(featuresFile, `window.staticExportFeatures=${JSON.stringify(mcp ? { mcp } : {})};\n`);
    }
    contents.set(`${ownFolder}/THIRD-PARTY-NOTICES.txt`, await readFile(notices, "utf8"));
    const [lists, listScript] = await read("page-list.js");
    const services = loadsServices(integrations) ? servicesScript(integrations) : "";
    const menu = pageMenu?.options === undefined ? [] : ["page-menu.js"];
    const ofAssistant = assistant ? assistantSettings(await add("assistant.css"), domain) : "";
    const assistantParts = [cutText, "assistant-markdown.js", "assistant.js"];
    const assistantFile = await add("assistant.js", assistant, assistantParts, ofAssistant);
    const panel = assistant ? `window.staticExportAssistant=${JSON.stringify(assistantFile)};\n` : "";
    const ofPages = ["diagrams.js", "overlays.js", "update-filter.js", "views.js", ...menu, "site.js", "openers.js"];
    return {
        styles: await add("site.css"),
        script: await add("site.js", true, ofPages, panel),
        search: await add("search.js", search, [searchIndex, "search.js"]),
        searchFolder: `${ownFolder}/search`,
        diagrams: `${ownFolder}/diagrams.js`,
        utilities: `${ownFolder}/utilities.css`,
        features: hasSwitches ? featuresFile : "",
        tryIt: await add("try-it.js", tryIt, [tryItForm]),
        lists,
        listScript,
        listFolder: `${ownFolder}/pages`,
        analytics: await add("analytics.js", services !== "", ["analytics.js"], services),
        readers: await add("readers.js", parts.length > 0),
        parts,
        contents,
    };
}

/** The beginning of the assistant's script, which is added only to pages with an assistant. */
function assistantSettings(styles: string, domain: string): string {
    const settings = { styles, domain, ...wordsOfAssistant() };
    return `window.staticExportAssistantSettings=${JSON.stringify(settings)};\n`;
}

/** The script that draws diagrams, for a site with diagrams. */
export async function diagramScript(): Promise<string> {
    return readFile(createRequire(import.meta.url).resolve("@mermaid-js/tiny/dist/mermaid.tiny.js"), "utf8");
}

/** The script that updates pages while their author writes; no export contains this script. */
export async function liveScript(): Promise<string> {
    return readFile(new URL("live.js", themeDir), "utf8");
}

/** The digest of the source files that a bundle provides, because a bundle cannot read these files. */
declare const bundledFingerprint: string | undefined;

/** The digest, which is computed only once because a process loads its code only once. */
let loadedFingerprint: string | undefined;

/**
 * Returns a digest that changes whenever the rendering code changes, so that no cached page outlives the renderer that
 * wrote it.
 */
export function rendererFingerprint(): string {
    return typeof bundledFingerprint === "string" ? bundledFingerprint : (loadedFingerprint ??= fingerprintOfFiles());
}

function fingerprintOfFiles(): string {
    const here = new URL("../../", import.meta.url);
    const names = readdirSync(here, { encoding: "utf8", recursive: true })
        .filter((name) => /\.[jt]s$/.test(name) && !name.endsWith(".d.ts"))
        .sort();
    // Reads files sequentially: reading a hundred small files in parallel takes four times as long. `package.json`
    // contains the versions of libraries.
    const sources = [...names, "../package.json"].map((name) => readFileSync(new URL(name, here), "utf8"));
    return hashOf([...names, ...sources, ...engineProgram().values()].join("\0"));
}

function hashOf(text: string): string {
    return createHash("sha256").update(text).digest("hex");
}

/** The services of a site as JavaScript to put before `analytics.js`; contains nothing about other services. */
function servicesScript({ services, consent, hosts }: SiteIntegrations): string {
    const entries = services.map(({ name, values }) => {
        const { kind, start, send = "", countsPages = false } = integrationOf(name);
        const facts = `kind: ${JSON.stringify(kind)}, countsPages: ${countsPages}`;
        const begin = `start(load) { const s = ${JSON.stringify(values)}; ${start} }`;
        return `{ ${facts}, ${begin}, send(name, data) { ${send} } }`;
    });
    const list = `[\n${entries.join(",\n")}\n]`;
    const facts = `consent: ${JSON.stringify(consent)}, hosts: ${JSON.stringify(hosts)}`;
    return `window.staticExportServices = { ${facts}, services: ${list} };\n`;
}
