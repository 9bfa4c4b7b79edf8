import { asRecord, isRecord, withoutUndefined } from "../../text/json-values.js";
import { color, fields, lightAndDark, type ReadSetting, text, withKeys } from "./setting-values.js";

export interface FontSettings {
    readonly family: string;
    readonly weight?: number;
    /** A file of the site. */
    readonly source?: string;
}

export const fonts: ReadSetting<{ readonly body?: FontSettings; readonly heading?: FontSettings }> = (
    value,
    at,
    report,
) => {
    const { heading, body, ...both } = asRecord(value);
    const fontOf = (own: unknown, name: string) =>
        isRecord(own)
            ? font(own, `${at}.${name}`, report)
            : both["family"] === undefined
              ? undefined
              : font(both, at, report);
    return withoutUndefined({ body: fontOf(body, "body"), heading: fontOf(heading, "heading") });
};

/** Only names are accepted, because the value becomes part of every page's style. */
const font: ReadSetting<FontSettings> = (value, at, report) => {
    const given = asRecord(value);
    const family = text(given["family"], `${at}.family`, report);
    if (family === undefined || !/^[\p{L}\p{N} ._-]{1,60}$/u.test(family)) {
        return family === undefined ? undefined : report(`${at}.family`, `${at}.family must be the name of a font`);
    }
    const weight = Number(given["weight"]);
    const source = text(given["source"], `${at}.source`, report);
    const isOwn = source !== undefined && !/^(?:[a-z]+:)?\/\//i.test(source);
    if (!isOwn) {
        report(
            `${at}.family`,
            `the font "${family}" is not a file of the site, so only readers who have the font see it: put the font into the ` +
                `site, and its path into ${at}.source`,
        );
    }
    return {
        family,
        ...(Number.isInteger(weight) && weight >= 1 && weight <= 1000 && { weight }),
        ...(isOwn && { source }),
    };
};

const decoration: ReadSetting<"gradient" | "grid"> = (value, at, report) =>
    value === undefined || value === null || value === "gradient" || value === "grid"
        ? (value ?? undefined)
        : report(at, `${at} must be gradient or grid: other decorations are not supported`);

export const background = fields({
    color: fields({ light: color, dark: color }),
    image: lightAndDark(text),
    decoration,
});

/**
 * `dark`, or the names of Shiki themes for light and dark pages: the setting only determines whether code is dark,
 * because the themes' colours are not supported.
 */
export const codeScheme = withKeys<"light" | "dark">(["theme"], (value) => {
    const theme = isRecord(value) ? value["theme"] : value;
    if (typeof theme !== "string" || theme === "system") {
        return undefined;
    }
    return /light|bright|latte|lotus|dawn|ochin/.test(theme) ? "light" : "dark";
});
