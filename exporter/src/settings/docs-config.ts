import { type WarningKind } from "../problems/warnings.js";
import { readConfigFile } from "../files/config-file.js";
import { asRecord, isRecord, listOf } from "../text/json-values.js";
import { type FoundFiles } from "../files/found-files.js";
import { apiDisplayOf, type ApiDisplay } from "./api-display.js";
import { sourcesOf } from "./document-sources.js";
import { FrameReader, type FrameSettings } from "./page-frame.js";
import { webAddressOf } from "../front-matter/page-fields.js";
import { metatagsOfSite, type Metatags } from "../front-matter/metatags.js";
import { settingsWithoutEffect } from "./known-settings.js";
import { fromMintConfig } from "./mint-config.js";
import { SettingValues, type LightAndDark } from "./setting-values.js";
import { siteLooksOf, type SiteLooks } from "./site-looks.js";

export interface Redirect {
    readonly source: string;
    readonly destination: string;
    readonly permanent: boolean;
}

/** The settings of `docs.json`, except its navigation. Unknown ones are left out and reported. */
export interface SiteSettings extends FrameSettings {
    readonly name?: string;
    readonly description?: string;
    readonly favicon?: LightAndDark;
    readonly logo?: LightAndDark & { readonly href?: string };
    readonly colors?: { readonly primary?: string; readonly light?: string; readonly dark?: string };
    readonly looks?: SiteLooks;
    /** What languages have in place of the site's own, by their codes. */
    readonly languages?: Readonly<Record<string, Partial<FrameSettings>>>;
    /** The page for unknown addresses. */
    readonly notFound?: { readonly title?: string; readonly description?: string; readonly leadsHome: boolean };
    /** What the site asks of programs that read its Markdown. */
    readonly agentInstructions?: string;
    /** What the field of the search says while it is empty. */
    readonly searchPrompt?: string;
    /** Pages name all groups around them, not only the innermost. */
    readonly breadcrumbs?: boolean;
    readonly redirects?: readonly Redirect[];
    /** Which colours a first visitor sees; `strict` leaves no choice. */
    readonly appearance?: { readonly default: "light" | "dark" | "system"; readonly strict: boolean };
    readonly iconLibrary?: "fontawesome" | "lucide" | "tabler";
    /** Replaces `{{name}}` on pages. */
    readonly variables?: Readonly<Record<string, string>>;
    /** OpenAPI documents for pages that name none. */
    readonly openapi?: readonly string[];
    /** AsyncAPI documents for pages that name none. */
    readonly asyncapi?: readonly string[];
    /** Whether pages of an API may have a form that sends requests; true when it is not said. */
    readonly tryIt?: boolean;
    /** For pages that do not say something else themselves. */
    readonly metatags?: Metatags;
    /** What stands before a page's path in its canonical address, instead of the domain. */
    readonly canonicalBase?: string;
    /** Pages that the navigation does not list are searched and indexed, too. */
    readonly indexesAll?: boolean;
    /** Pages show the day of their last change. */
    readonly timestamp?: boolean;
    readonly apiDisplay?: ApiDisplay;
    /** What stands before the address of an operation that has no document. */
    readonly apiServer?: string;
}

export interface DocsConfig {
    /** The file's name, for messages. */
    readonly file: string;
    readonly settings: SiteSettings;
    /** The navigation as the file has it; undefined if the navigation comes from the folders. */
    readonly navigation: unknown;
    /** The file's text, to say in which line an entry stands. */
    readonly source: string;
    /** Other files that it is made of. */
    readonly referenced: ReadonlySet<string>;
    readonly problems: readonly ConfigProblem[];
}

export interface ConfigProblem {
    readonly kind: WarningKind;
    readonly reason: string;
}

/** Reads `docs.json`, or an older site's `mint.json`; a site without one gets its navigation from its folder. */
export function readDocsConfig(content: FoundFiles): DocsConfig {
    const found = readConfigFile(content);
    if (found === undefined) {
        return {
            file: "docs.json",
            settings: { navbarLinks: [] },
            navigation: undefined,
            source: "",
            referenced: new Set(),
            problems: [],
        };
    }
    const { file, source, referenced } = found;
    const config = file === "mint.json" ? fromMintConfig(found.value) : found.value;
    const reader = new SettingsReader();
    const settings = reader.read(config);
    const withoutEffect = settingsWithoutEffect(found.value, file).map((reason) => ({
        kind: "settings" as const,
        reason,
    }));
    const problems = [...reader.problems, ...withoutEffect];
    return { file, settings, navigation: config["navigation"], source, referenced, problems };
}

/** Reads settings one by one: one that is not as it should be is left out and reported. */
class SettingsReader {
    readonly problems: ConfigProblem[] = [];
    readonly #values = new SettingValues((reason) => {
        this.problems.push({ kind: "settings", reason });
        return undefined;
    });

    read(config: Readonly<Record<string, unknown>>): SiteSettings {
        const frame = new FrameReader(this.#values);
        const colors = asRecord(config["colors"]);
        const icons = asRecord(config["icons"]);
        const api = asRecord(config["api"]);
        const library = icons["library"];
        const seo = asRecord(config["seo"]);
        const picture = asRecord(config["thumbnails"])["background"];
        const metatags = { ...(picture !== undefined && { "og:image": picture }), ...asRecord(seo["metatags"]) };
        return withoutUndefined({
            name: this.#values.text(config, "name"),
            description: this.#values.text(config, "description"),
            favicon: this.#values.pair(config["favicon"], "favicon"),
            logo: this.#logo(config["logo"]),
            colors: withoutUndefined({
                primary: this.#values.color(colors, "primary", "colors"),
                light: this.#values.color(colors, "light", "colors"),
                dark: this.#values.color(colors, "dark", "colors"),
            }),
            ...frame.read(config),
            looks: siteLooksOf(config, this.#values),
            languages: framesOfLanguages(config["navigation"], frame),
            notFound: this.#notFound(config["errors"]),
            searchPrompt: isRecord(config["search"])
                ? this.#values.text(config["search"], "prompt", "search.prompt")
                : undefined,
            agentInstructions: instructionsOf(config["markdown"]),
            breadcrumbs: isRecord(config["styling"]) && config["styling"]["eyebrows"] === "breadcrumbs",
            redirects: this.#redirects(config["redirects"]),
            appearance: this.#appearance(config["appearance"]),
            iconLibrary: library === "lucide" || library === "tabler" ? library : ("fontawesome" as const),
            variables: this.#variables(config["variables"]),
            openapi: sourcesOf(api["openapi"] ?? config["openapi"]),
            asyncapi: sourcesOf(api["asyncapi"]),
            metatags: metatagsOfSite(metatags),
            canonicalBase: this.#webAddress(metatags, "canonical", "seo.metatags.canonical")?.replace(/\/+$/, ""),
            indexesAll: seo["indexing"] === "all",
            timestamp: isRecord(config["metadata"]) && config["metadata"]["timestamp"] === true,
            apiDisplay: apiDisplayOf(api),
            apiServer: apiServerOf(api["mdx"]),
            tryIt: !hidesForm.includes(String(isRecord(api["playground"]) && api["playground"]["display"])),
        });
    }

    #webAddress(record: Readonly<Record<string, unknown>>, key: string, at: string): string | undefined {
        const text = this.#values.text(record, key, at);
        return text === undefined || webAddressOf(text) !== undefined
            ? text
            : this.#values.report(
                  `${at} must be an address such as https://docs.example.com, got ${text.slice(0, 60)}`,
              );
    }

    #logo(value: unknown): SiteSettings["logo"] {
        const pictures = this.#values.pair(value, "logo");
        const href = isRecord(value) ? this.#values.text(value, "href", "logo.href") : undefined;
        return pictures && { ...pictures, ...(href !== undefined && { href }) };
    }

    #notFound(errors: unknown): SiteSettings["notFound"] {
        const page = isRecord(errors) ? errors["404"] : undefined;
        return isRecord(page)
            ? withoutUndefined({
                  title: this.#values.text(page, "title", "errors.404.title"),
                  description: this.#values.text(page, "description", "errors.404.description"),
                  leadsHome: page["redirect"] === true,
              })
            : undefined;
    }

    #redirects(value: unknown): Redirect[] {
        return listOf(value)
            .filter(isRecord)
            .flatMap((entry) => {
                const source = this.#values.text(entry, "source", "redirects.source");
                const destination = this.#values.text(entry, "destination", "redirects.destination");
                return source === undefined || destination === undefined
                    ? []
                    : [{ source, destination, permanent: entry["permanent"] !== false }];
            });
    }

    #appearance(value: unknown): SiteSettings["appearance"] {
        if (!isRecord(value)) {
            return undefined;
        }
        const wanted = value["default"];
        return {
            default: wanted === "light" || wanted === "dark" ? wanted : "system",
            strict: value["strict"] === true,
        };
    }

    #variables(value: unknown): Record<string, string> | undefined {
        if (!isRecord(value)) {
            return undefined;
        }
        const entries = Object.entries(value).filter(
            (entry): entry is [string, string] => typeof entry[1] === "string",
        );
        return Object.fromEntries(entries);
    }
}

function framesOfLanguages(navigation: unknown, frame: FrameReader): SiteSettings["languages"] {
    const list = listOf(asRecord(navigation)["languages"]);
    const frames = list.filter(isRecord).map((entry) => [entry["language"], frame.ofLanguage(entry)] as const);
    const own = frames.filter(([name, settings]) => typeof name === "string" && Object.keys(settings).length > 0);
    return own.length === 0 ? undefined : (Object.fromEntries(own) as SiteSettings["languages"]);
}

function instructionsOf(markdown: unknown): string | undefined {
    const given = isRecord(markdown) ? markdown["instructions"] : undefined;
    const lines = (Array.isArray(given) ? (given as unknown[]) : [given]).filter((line) => typeof line === "string");
    return lines.length === 0 ? undefined : lines.join("\n").trim();
}

/** Displays of the playground that show no form, or not to everybody. */
export const hidesForm = ["none", "simple", "auth"];

function apiServerOf(mdx: unknown): string | undefined {
    const server = isRecord(mdx) ? mdx["server"] : undefined;
    const [first] = Array.isArray(server) ? (server as unknown[]) : [server];
    return typeof first === "string" ? first.replace(/\/+$/, "") : undefined;
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
        [K in keyof T]: Exclude<T[K], undefined>;
    };
}
