import { asRecord, isRecord } from "../text/json-values.js";
import { type LightAndDark, type SettingValues } from "./setting-values.js";

export interface FontSettings {
    readonly family: string;
    readonly weight?: number;
    /** A file of the site. */
    readonly source?: string;
}

/** How pages of a site look, where that is not as the theme has it. */
export interface SiteLooks {
    readonly bodyFont?: FontSettings;
    readonly headingFont?: FontSettings;
    readonly backgroundColor?: Partial<LightAndDark>;
    readonly backgroundImage?: LightAndDark;
    readonly decoration?: "gradient" | "grid";
    /** Colours of code that do not follow the reader's choice. */
    readonly codeScheme?: "light" | "dark";
}

/** Reads `fonts`, `background` and `styling.codeblocks`. */
export function siteLooksOf(config: Readonly<Record<string, unknown>>, values: SettingValues): SiteLooks {
    const fonts = asRecord(config["fonts"]);
    const { heading, body, ...both } = fonts;
    const fontOf = (own: unknown, at: string) =>
        isRecord(own)
            ? fontAt(own, at, values)
            : both["family"] === undefined
              ? undefined
              : fontAt(both, "fonts", values);
    const [bodyFont, headingFont] = [fontOf(body, "fonts.body"), fontOf(heading, "fonts.heading")];
    const background = asRecord(config["background"]);
    const colors = asRecord(background["color"]);
    const light = values.color(colors, "light", "background.color");
    const dark = values.color(colors, "dark", "background.color");
    const backgroundImage = values.pair(background["image"], "background.image");
    const decoration = decorationOf(background["decoration"], values);
    const codeScheme = codeSchemeOf(asRecord(config["styling"])["codeblocks"]);
    return {
        ...(bodyFont && { bodyFont }),
        ...(headingFont && { headingFont }),
        ...((light ?? dark) !== undefined && { backgroundColor: { ...(light && { light }), ...(dark && { dark }) } }),
        ...(backgroundImage && { backgroundImage }),
        ...(decoration && { decoration }),
        ...(codeScheme && { codeScheme }),
    };
}

/** The name becomes part of every page's style: nothing but a name may pass. */
function fontAt(
    record: Readonly<Record<string, unknown>>,
    at: string,
    values: SettingValues,
): FontSettings | undefined {
    const family = values.text(record, "family", `${at}.family`);
    if (family === undefined || !/^[\p{L}\p{N} ._-]{1,60}$/u.test(family)) {
        return family === undefined ? undefined : values.report(`${at}.family must be the name of a font`);
    }
    const weight = Number(record["weight"]);
    const source = values.text(record, "source", `${at}.source`);
    const isOwn = source !== undefined && !/^(?:[a-z]+:)?\/\//i.test(source);
    if (!isOwn) {
        values.report(
            `the font "${family}" is not a file of the site: readers see it who have it; put it into the site, and its path into ${at}.source`,
        );
    }
    return {
        family,
        ...(Number.isInteger(weight) && weight >= 1 && weight <= 1000 && { weight }),
        ...(isOwn && { source }),
    };
}

function decorationOf(value: unknown, values: SettingValues): SiteLooks["decoration"] {
    if (value === undefined || value === null || value === "gradient" || value === "grid") {
        return value ?? undefined;
    }
    return values.report("background.decoration must be gradient or grid: others are not supported");
}

/** `dark`, or the name of a theme of Shiki for light and dark pages: its colours are not known, but which kind they are. */
function codeSchemeOf(value: unknown): SiteLooks["codeScheme"] {
    const theme = isRecord(value) ? value["theme"] : value;
    if (typeof theme !== "string" || theme === "system") {
        return undefined;
    }
    return /light|bright|latte|lotus|dawn|ochin/.test(theme) ? "light" : "dark";
}
