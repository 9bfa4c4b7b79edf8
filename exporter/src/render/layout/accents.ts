import { type SiteSettings } from "../../read/settings/site-settings.js";

type Scheme = "light" | "dark";
type Rgb = readonly [number, number, number];

/** The background on which text has the lowest contrast: `--bg-soft` in the style sheet. */
const backgrounds: Readonly<Record<Scheme, Rgb>> = { light: [0xf6, 0xf7, 0xf9], dark: [0x1a, 0x1e, 0x27] };
const inks: Readonly<Record<Scheme, Rgb>> = { light: [0, 0, 0], dark: [255, 255, 255] };
/**
 * The proportion of the accent colour in the background of badges and of the current page, whose text has the accent
 * colour.
 */
const tint = 0.12;
/** The WCAG requirement for text of normal size, level AA. */
const minContrast = 4.5;

/**
 * A site's own colours for links and marks as CSS, darkened or lightened if text in them would be unreadable; empty for
 * the theme's colours.
 */
export function accentStyleOf({ primary, light = primary, dark }: SiteSettings["colors"] = {}): string {
    if (primary === undefined || light === undefined) {
        return "";
    }
    const button = dark === undefined ? "" : buttonStyle(dark);
    return `:root{--accent-light:${readable(primary, "light")};--accent-dark:${readable(light, "dark")}${button}}`;
}

/**
 * Button colours, the same on light and on dark pages: with white text if white is readable, otherwise with black text.
 */
function buttonStyle(color: string): string {
    const { rgb, alpha } = parseHex(color);
    const background = mix(rgb, inks.dark, alpha);
    const text = contrast(background, inks.dark) >= minContrast ? inks.dark : inks.light;
    return `;--button:${toHex(background)};--button-text:${toHex(text)}`;
}

function readable(color: string, scheme: Scheme): string {
    const background = backgrounds[scheme];
    const { rgb, alpha } = parseHex(color);
    const wanted = mix(rgb, background, alpha);
    for (let percent = 100; percent > 0; percent -= 2) {
        const accent = mix(wanted, inks[scheme], percent / 100);
        if (contrast(accent, mix(accent, background, tint)) >= minContrast) {
            return percent === 100 && alpha === 1 ? color : toHex(accent);
        }
    }
    return toHex(inks[scheme]);
}

/** A site's background, made lighter or darker if the theme's text would be unreadable on it. */
export function readableBackground(color: string, scheme: Scheme): string {
    const paper = inks[scheme === "light" ? "dark" : "light"];
    const limit = luminance(backgrounds[scheme]);
    const { rgb, alpha } = parseHex(color);
    for (let percent = 100; percent > 0; percent -= 2) {
        const background = mix(rgb, paper, (alpha * percent) / 100);
        const light = luminance(background);
        if (scheme === "light" ? light >= limit : light <= limit) {
            return toHex(background);
        }
    }
    return toHex(paper);
}

/** @param color a `#` with 3, 4, 6 or 8 digits */
function parseHex(color: string): { rgb: Rgb; alpha: number } {
    const digits = color.slice(1);
    const pairs = digits.length < 6 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
    const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16));
    return { rgb: [red, green, blue], alpha: alpha / 255 };
}

function toHex(rgb: Rgb): string {
    return `#${rgb.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function mix(front: Rgb, back: Rgb, share: number): Rgb {
    const channel = (at: 0 | 1 | 2) => Math.round(front[at] * share + back[at] * (1 - share));
    return [channel(0), channel(1), channel(2)];
}

function contrast(one: Rgb, other: Rgb): number {
    const [first, second] = [luminance(one), luminance(other)];
    return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(rgb: Rgb): number {
    const [red, green, blue] = rgb.map((channel) => {
        const part = channel / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as unknown as Rgb;
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
