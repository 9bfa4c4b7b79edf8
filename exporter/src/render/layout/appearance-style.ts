import { type FontSettings } from "../../read/settings/appearance-settings.js";
import { type SiteSettings } from "../../read/settings/site-settings.js";
import { readableBackground } from "./accents.js";

/** The address of a file of the site, rewritten for a page. */
type Href = (file: string) => string;

/** CSS rules in which the site's pages differ from the theme; empty for most sites. */
export function appearanceStyle({ fonts, background, codeScheme }: SiteSettings): (href: Href) => string {
    const { light, dark } = background?.color ?? {};
    const colors = [
        light && `--bg-light:${readableBackground(light, "light")}`,
        dark && `--bg-dark:${readableBackground(dark, "dark")}`,
    ].filter((part) => part !== undefined);
    return (href) => {
        const [image, imageInDark] = pictures(background, href);
        const faces = new Set([fonts?.body, fonts?.heading].map((font) => fontFace(font, href)));
        const onScreen = [
            image && `body::before{${behindThePage}${image}}`,
            imageInDark && imageInDark !== image && inDark(`body::before{${imageInDark}}`),
            codeScheme && `.code{color-scheme:${codeScheme};color:var(--text)}`,
        ].filter(Boolean);
        return [
            ...faces,
            fontRule("html", fonts?.body),
            fontRule(":is(h1,h2,h3,h4,h5,h6)", fonts?.heading),
            colors.length === 0 ? "" : `:root{${colors.join(";")}}`,
            onScreen.length === 0 ? "" : `@media screen{${onScreen.join("")}}`,
        ].join("");
    };
}

/** Styles a background at the top of the page that fades out towards the bottom. */
const behindThePage =
    'content:"";position:absolute;z-index:-1;inset:0 0 auto;height:min(40rem,100%);pointer-events:none;mask-image:linear-gradient(#000,transparent);';

const decorations = {
    gradient:
        "background:radial-gradient(50rem 25rem at 50% 0,color-mix(in srgb,var(--accent) 12%,transparent),transparent)",
    grid: "background:linear-gradient(var(--line) 1px,transparent 1px) 0 0/3rem 3rem,linear-gradient(90deg,var(--line) 1px,transparent 1px) 0 0/3rem 3rem",
} as const;

/** The background of light and dark pages. */
function pictures({ image, decoration }: SiteSettings["background"] = {}, href: Href): (string | undefined)[] {
    if (image !== undefined) {
        const { light, dark } = image;
        return [light, dark].map((file) => `background:url("${cssAddress(href(file))}") top/cover no-repeat`);
    }
    return [decoration && decorations[decoration]];
}

function inDark(rule: string): string {
    return `@media (prefers-color-scheme:dark){:root:not([data-theme=light]) ${rule}}:root[data-theme=dark] ${rule}`;
}

function fontFace(font: FontSettings | undefined, href: Href): string {
    if (font?.source === undefined) {
        return "";
    }
    return `@font-face{font-family:"${font.family}";src:url("${cssAddress(href(font.source))}");${weightOf(font)}font-display:swap}`;
}

function fontRule(selector: string, font: FontSettings | undefined): string {
    return font === undefined ? "" : `${selector}{font-family:"${font.family}",var(--sans);${weightOf(font)}}`;
}

function weightOf({ weight }: FontSettings): string {
    return weight === undefined ? "" : `font-weight:${weight};`;
}

function cssAddress(href: string): string {
    return href.replace(/["\\<>\s]/g, encodeURIComponent);
}
