import { parse, printParseErrorCode, type ParseError } from "jsonc-parser";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SiteError } from "./site-error.js";

export const configFile = "docs.json";

export interface NavbarLink {
    readonly label: string;
    readonly href: string;
}

/** What `docs.json` says about the site besides its navigation. Settings that we do not know are ignored. */
export interface SiteSettings {
    readonly name?: string;
    readonly description?: string;
    readonly favicon?: string;
    readonly logo?: { readonly light: string; readonly dark: string };
    readonly colors?: { readonly primary?: string; readonly light?: string };
    readonly navbarLinks: readonly NavbarLink[];
}

export interface DocsConfig {
    readonly settings: SiteSettings;
    /** As it stands in the file; undefined when the folder is the navigation. */
    readonly navigation: unknown;
    /** The file's text, to say in which line an entry stands. */
    readonly source: string;
}

/** Reads `docs.json`; a site without one gets its navigation from its folder. */
export async function readDocsConfig(siteDir: string): Promise<DocsConfig> {
    let source: string;
    try {
        source = (await readFile(join(siteDir, configFile), "utf8")).replace(/^\uFEFF/, "");
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        return { settings: { navbarLinks: [] }, navigation: undefined, source: "" };
    }
    const config = parseJson(source);
    if (!isRecord(config)) throw new SiteError(configFile, 1, "the file must hold one JSON object");
    return { settings: readSettings(config), navigation: config["navigation"], source };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Not by JSON.parse, which names no position for an unexpected character. */
function parseJson(source: string): unknown {
    // A file that ends too early is at fault in its last line, not in the empty ones after it.
    const json = source.trimEnd();
    const errors: ParseError[] = [];
    const value: unknown = parse(json, errors, { disallowComments: true });
    const [error] = errors;
    if (error === undefined) return value;
    const reason = printParseErrorCode(error.error).replace(/\B[A-Z]/g, " $&").toLowerCase();
    const found = json.slice(error.offset, error.offset + error.length).split(/\r?\n/, 1)[0] || "the end of the file";
    const line = json.slice(0, error.offset).split("\n").length;
    throw new SiteError(configFile, line, `not valid JSON: ${reason} at ${found.slice(0, 40)}`);
}

function readSettings(config: Record<string, unknown>): SiteSettings {
    const name = optionalText(config, "name");
    const description = optionalText(config, "description");
    const favicon = isRecord(config["favicon"])
        ? optionalText(config["favicon"], "light", "favicon.light")
        : optionalText(config, "favicon");
    const logo = readLogo(config["logo"]);
    const colors = isRecord(config["colors"]) ? config["colors"] : {};
    const primary = readColor(colors, "primary");
    const light = readColor(colors, "light");
    return {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(favicon !== undefined && { favicon }),
        ...(logo !== undefined && { logo }),
        colors: { ...(primary !== undefined && { primary }), ...(light !== undefined && { light }) },
        navbarLinks: readNavbar(config["navbar"]),
    };
}

function optionalText(record: Record<string, unknown>, key: string, at = key): string | undefined {
    const value = record[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "string") throw new SiteError(configFile, undefined, `${at} must be a text`);
    return value;
}

function readColor(colors: Record<string, unknown>, key: string): string | undefined {
    const value = optionalText(colors, key, `colors.${key}`);
    // The value becomes part of every page's style: nothing but a colour may pass.
    if (value !== undefined && !/^#[\da-f]{3,8}$/i.test(value)) {
        throw new SiteError(configFile, undefined, `colors.${key} must be a colour such as #0d6e6e, got ${value}`);
    }
    return value;
}

function readLogo(value: unknown): { light: string; dark: string } | undefined {
    if (typeof value === "string") return { light: value, dark: value };
    if (!isRecord(value)) return undefined;
    const light = optionalText(value, "light", "logo.light");
    const dark = optionalText(value, "dark", "logo.dark");
    const either = light ?? dark;
    return either === undefined ? undefined : { light: light ?? either, dark: dark ?? either };
}

function readNavbar(value: unknown): NavbarLink[] {
    if (!isRecord(value)) return [];
    const entries: unknown[] = Array.isArray(value["links"]) ? [...(value["links"] as unknown[])] : [];
    entries.push(value["primary"]);
    return entries.filter(isRecord).flatMap((entry) => {
        const href = optionalText(entry, "href", "navbar.links.href");
        const label = optionalText(entry, "label", "navbar.links.label") ?? optionalText(entry, "type");
        return href === undefined || label === undefined ? [] : [{ label, href }];
    });
}
