import { type WarningKind } from "../warnings.js";
import { isRecord, readConfigFile } from "./config-file.js";
import { type FoundFiles } from "./found-files.js";
import { webAddressOf } from "./front-matter.js";
import { metatagsOfSite, type Metatags } from "./metatags.js";
import { fromMintConfig } from "./mint-config.js";

export interface NavbarLink {
    readonly label: string;
    readonly href: string;
}

export interface Redirect {
    readonly source: string;
    readonly destination: string;
    readonly permanent: boolean;
}

/** What `docs.json` says about the site besides its navigation. Settings that we do not know are ignored. */
export interface SiteSettings {
    readonly name?: string;
    readonly description?: string;
    readonly favicon?: string;
    readonly logo?: { readonly light: string; readonly dark: string; readonly href?: string };
    readonly colors?: { readonly primary?: string; readonly light?: string };
    readonly navbarLinks: readonly NavbarLink[];
    readonly footerLinks?: readonly { readonly title: string; readonly items: readonly NavbarLink[] }[];
    readonly socials?: readonly NavbarLink[];
    /** Markdown for the top of every page. */
    readonly banner?: { readonly content: string; readonly dismissible: boolean };
    readonly redirects?: readonly Redirect[];
    /** Which colours a first visitor sees; `strict` leaves no choice. */
    readonly appearance?: { readonly default: "light" | "dark" | "system"; readonly strict: boolean };
    readonly iconLibrary?: "fontawesome" | "lucide" | "tabler";
    /** Replaces `{{name}}` on pages. */
    readonly variables?: Readonly<Record<string, string>>;
    /** OpenAPI documents for pages that name none. */
    readonly openapi?: readonly string[];
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
        return { file: "docs.json", settings: { navbarLinks: [] }, navigation: undefined, source: "", problems: [] };
    }
    const { file, source } = found;
    const config = file === "mint.json" ? fromMintConfig(found.value) : found.value;
    const reader = new SettingsReader();
    return { file, settings: reader.read(config), navigation: config["navigation"], source, problems: reader.problems };
}

/** Reads settings one by one: one that is not as it should be is left out and reported. */
class SettingsReader {
    readonly problems: ConfigProblem[] = [];

    read(config: Readonly<Record<string, unknown>>): SiteSettings {
        const favicon = isRecord(config["favicon"])
            ? this.#text(config["favicon"], "light", "favicon.light")
            : this.#text(config, "favicon");
        const colors = isRecord(config["colors"]) ? config["colors"] : {};
        const footer = isRecord(config["footer"]) ? config["footer"] : {};
        const icons = isRecord(config["icons"]) ? config["icons"] : {};
        const api = isRecord(config["api"]) ? config["api"] : {};
        const library = icons["library"];
        const seo = isRecord(config["seo"]) ? config["seo"] : {};
        const metatags = isRecord(seo["metatags"]) ? seo["metatags"] : {};
        return withoutUndefined({
            name: this.#text(config, "name"),
            description: this.#text(config, "description"),
            favicon,
            logo: this.#logo(config["logo"]),
            colors: withoutUndefined({ primary: this.#color(colors, "primary"), light: this.#color(colors, "light") }),
            navbarLinks: this.#navbar(config["navbar"]),
            footerLinks: this.#footerLinks(footer["links"]),
            socials: this.#socials(footer["socials"]),
            banner: this.#banner(config["banner"]),
            redirects: this.#redirects(config["redirects"]),
            appearance: this.#appearance(config["appearance"]),
            iconLibrary: library === "lucide" || library === "tabler" ? library : ("fontawesome" as const),
            variables: this.#variables(config["variables"]),
            openapi: sourcesOf(api["openapi"] ?? config["openapi"]),
            metatags: metatagsOfSite(metatags),
            canonicalBase: this.#webAddress(metatags, "canonical", "seo.metatags.canonical")?.replace(/\/+$/, ""),
            indexesAll: seo["indexing"] === "all",
            timestamp: isRecord(config["metadata"]) && config["metadata"]["timestamp"] === true,
            apiServer: apiServerOf(api["mdx"]),
            tryIt: !hidesForm.includes(String(isRecord(api["playground"]) && api["playground"]["display"])),
        });
    }

    #report(reason: string): undefined {
        this.problems.push({ kind: "settings", reason });
        return undefined;
    }

    #text(record: Readonly<Record<string, unknown>>, key: string, at = key): string | undefined {
        const value = record[key];
        if (value === undefined || value === null) {
            return undefined;
        }
        return typeof value === "string" ? value : this.#report(`${at} must be a string`);
    }

    #webAddress(record: Readonly<Record<string, unknown>>, key: string, at: string): string | undefined {
        const text = this.#text(record, key, at);
        return text === undefined || webAddressOf(text) !== undefined
            ? text
            : this.#report(`${at} must be an address such as https://docs.example.com, got ${text.slice(0, 60)}`);
    }

    /** The value becomes part of every page's style: nothing but a colour may pass. */
    #color(colors: Readonly<Record<string, unknown>>, key: string): string | undefined {
        const value = this.#text(colors, key, `colors.${key}`);
        if (value !== undefined && !/^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(value)) {
            return this.#report(`colors.${key} must be a colour such as #0d6e6e, got ${value.slice(0, 40)}`);
        }
        return value;
    }

    #logo(value: unknown): SiteSettings["logo"] {
        if (typeof value === "string") {
            return { light: value, dark: value };
        }
        if (!isRecord(value)) {
            return undefined;
        }
        const light = this.#text(value, "light", "logo.light");
        const dark = this.#text(value, "dark", "logo.dark");
        const href = this.#text(value, "href", "logo.href");
        const either = light ?? dark;
        return either === undefined
            ? undefined
            : { light: light ?? either, dark: dark ?? either, ...(href !== undefined && { href }) };
    }

    #navbar(value: unknown): NavbarLink[] {
        if (!isRecord(value)) {
            return [];
        }
        const entries: unknown[] = Array.isArray(value["links"]) ? [...(value["links"] as unknown[])] : [];
        return this.#links([...entries, value["primary"]], "navbar");
    }

    #links(entries: readonly unknown[], at: string): NavbarLink[] {
        return entries.filter(isRecord).flatMap((entry) => {
            const href = this.#text(entry, "href", `${at}.href`) ?? this.#text(entry, "url", `${at}.url`);
            const type = this.#text(entry, "type", `${at}.type`);
            const label = this.#text(entry, "label", `${at}.label`) ?? (type === "github" ? "GitHub" : type);
            return href === undefined || label === undefined ? [] : [{ label, href }];
        });
    }

    #footerLinks(value: unknown): SiteSettings["footerLinks"] {
        const columns: unknown[] = Array.isArray(value) ? value : [];
        return columns.filter(isRecord).map((column) => ({
            title: this.#text(column, "header", "footer.links.header") ?? "",
            items: this.#links(Array.isArray(column["items"]) ? (column["items"] as unknown[]) : [], "footer.links"),
        }));
    }

    #socials(value: unknown): NavbarLink[] {
        return Object.entries(isRecord(value) ? value : {}).flatMap(([label, href]) =>
            typeof href === "string" ? [{ label, href }] : [],
        );
    }

    #banner(value: unknown): SiteSettings["banner"] {
        if (!isRecord(value)) {
            return undefined;
        }
        const content = this.#text(value, "content", "banner.content");
        return content === undefined ? undefined : { content, dismissible: value["dismissible"] === true };
    }

    #redirects(value: unknown): Redirect[] {
        const entries: unknown[] = Array.isArray(value) ? value : [];
        return entries.filter(isRecord).flatMap((entry) => {
            const source = this.#text(entry, "source", "redirects.source");
            const destination = this.#text(entry, "destination", "redirects.destination");
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

/** Displays of the playground that show no form, or not to everybody. */
export const hidesForm = ["none", "simple", "auth"];

function apiServerOf(mdx: unknown): string | undefined {
    const server = isRecord(mdx) ? mdx["server"] : undefined;
    const [first] = Array.isArray(server) ? (server as unknown[]) : [server];
    return typeof first === "string" ? first.replace(/\/+$/, "") : undefined;
}

/** OpenAPI documents as a setting names them: one, several, or one with a folder for its pages. */
export function sourcesOf(value: unknown): string[] {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list
        .map((item) => (isRecord(item) ? item["source"] : item))
        .flatMap((item): unknown[] => (Array.isArray(item) ? item : [item]))
        .filter((item): item is string => typeof item === "string" && item !== "");
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
        [K in keyof T]: Exclude<T[K], undefined>;
    };
}
