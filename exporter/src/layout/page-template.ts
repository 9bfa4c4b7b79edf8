import { escapeHtml } from "../text/html-text.js";
import { type TocEntry } from "../html/headings.js";
import { homeRoute, htmlFileOf, relativeHref, rootPrefix } from "../files/routes.js";
import { type Accents } from "./styles/accents.js";
import { articleHtml, changedHtml, relatedHtml, type ArticleView, type PageLink } from "./article.js";
import { metaTags, type HeadView } from "./meta-tags.js";
import { inWordsOf, word, wordsForScripts } from "../words/words.js";
import { directionOf, languageTag } from "./switchers.js";
import { type ThemeFiles } from "./theme-files.js";

/** A link around the page; its icon is HTML. */
export interface FrameLink {
    readonly label: string;
    readonly href: string;
    readonly icon: string;
    readonly isIconAlone: boolean;
    readonly isButton: boolean;
}

/** Everything that one page shows; links are already relative to it. */
export interface PageView extends HeadView, ArticleView {
    readonly sidebarHtml: string;
    readonly logo: { readonly light: string; readonly dark: string } | undefined;
    /** The colours of links and marks; undefined for the theme's own. */
    readonly accents: Accents | undefined;
    /** What of the page looks other than the theme has it, as CSS. */
    readonly lookStyle: string;
    readonly navbarLinks: readonly FrameLink[];
    readonly footerLinks: readonly { readonly title: string; readonly items: readonly FrameLink[] }[];
    readonly socials: readonly FrameLink[];
    /** A note for the top of the page, as HTML. */
    readonly bannerHtml: string;
    /** Links to the site's own style sheets. */
    readonly styles: readonly string[];
    /** Whether the page has classes that may be Tailwind's. */
    readonly hasUtilities: boolean;
    /** The page has a form that sends requests. */
    readonly hasTryIt: boolean;
    /** The part of the site in which the page's search looks; undefined for an export without search. */
    readonly searchScope: number | undefined;
    /** The number of the page's section in the navigation. */
    readonly section: number;
    readonly previous: PageLink | undefined;
    readonly next: PageLink | undefined;
    readonly version: string | undefined;
}

/** Below this many headings a table of contents only repeats what one sees. */
const minTocEntries = 2;

/**
 * Layouts besides the usual one, all without a contents list: more room (`wide`), nothing but the page (`center`), its body
 * alone (`custom`), the body beside the list of pages (`frame`).
 */
const modes = ["wide", "center", "custom", "frame"] as const;

export function writePage(view: PageView, theme: ThemeFiles): string {
    const { page, body, siteName, settings } = view;
    const root = rootPrefix(page.route);
    const title = page.title === siteName ? siteName : `${page.title} – ${siteName}`;
    const mode = modes.find((name) => name === page.meta.mode);
    const hasBeside = body.beside !== undefined && mode === undefined;
    const toc = body.toc.length >= minTocEntries && mode === undefined && !hasBeside ? tocHtml(body.toc) : "";
    const isBlank = mode === "custom" || mode === "frame";
    const language = view.language ?? "en";
    const direction = directionOf(language) === "rtl" ? ' dir="rtl"' : "";
    const choice = settings.appearance?.default ?? "system";
    const appearance = choice === "system" ? "" : ` data-theme="${choice}"`;
    const fixed = settings.appearance?.strict === true ? " data-theme-fixed" : "";
    const htmlOfHead = `<!doctype html>
<html lang="${escapeHtml(languageTag(language))}"${direction} data-root="${root}"${appearance}${fixed}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${metaTags(view)}<link rel="stylesheet" href="${root}${theme.styles}">
${view.hasUtilities ? `<link rel="stylesheet" href="${root}${theme.utilities}">\n` : ""}${siteStyles(view.styles)}${accentStyle(view.accents)}${view.lookStyle === "" ? "" : `<style>${view.lookStyle}</style>\n`}${scriptTag(root, theme, view)}
</head>
`;
    const htmlOfBody = `<body>
<a class="skip" href="#static-export-content">${word("skip")}</a>
${view.bannerHtml}${headerHtml(view)}
<div class="layout${toc === "" ? " without-toc" : ""}${hasBeside ? " with-beside" : ""}${mode === undefined ? "" : ` ${mode}`}">
<nav class="sidebar" id="static-export-sidebar" aria-label="${word("pages")}">${view.switchers.tabs}${view.switchers.anchors}${view.sidebarHtml}${navbarHtml(view)}</nav>
<main id="static-export-content" tabindex="-1">
${articleHtml(view, isBlank)}
${relatedHtml(view)}${changedHtml(view)}${isBlank ? "" : neighboursHtml(view) + footerHtml(view)}</main>
${toc}</div>
</body>
</html>
`;
    // The dash of the title makes each character take two bytes; the other string is searched faster without it.
    return inWordsOf(view.language, htmlOfHead) + inWordsOf(view.language, htmlOfBody);
}

function scriptTag(
    root: string,
    { script, search, searchFolder, diagrams, tryIt, readers, parts, part }: ThemeFiles,
    view: PageView,
): string {
    const forSearch =
        view.searchScope === undefined
            ? ""
            : ` data-search="${root}${search}" data-index="${root}${searchFolder}" data-scope="${view.searchScope}"`;
    const needed = view.body.hasDiagram ? ` data-diagrams="${root}${diagrams}"` : "";
    const words = wordsForScripts(view.language);
    const said = words === undefined ? "" : ` data-words="${escapeHtml(JSON.stringify(words))}"`;
    const form = view.hasTryIt ? `\n<script src="${root}${tryIt}" defer></script>` : "";
    const place = part === undefined ? ` data-section="${view.section}"` : ` data-own="${part}"`;
    const forReaders =
        readers === ""
            ? ""
            : `\n<script src="${root}${readers}" data-parts="${parts.join(" ")}"${place} defer></script>`;
    return `<script src="${root}${script}"${forSearch}${needed}${said} defer></script>${form}${forReaders}`;
}

/** In a layer, so that the theme's rules win: the site's styles were written for another theme. */
function siteStyles(hrefs: readonly string[]): string {
    const imports = hrefs.map((href) => `@import url("${href}") layer(site);`).join("");
    return imports === "" ? "" : `<style>${imports}</style>\n`;
}

function accentStyle(accents: PageView["accents"]): string {
    if (accents === undefined) {
        return "";
    }
    const { light, dark, button } = accents;
    const ofButton = button === undefined ? "" : `;--button:${button.background};--button-text:${button.text}`;
    return `<style>:root{--accent-light:${light};--accent-dark:${dark}${ofButton}}</style>\n`;
}

function headerHtml(view: PageView): string {
    const name = escapeHtml(view.siteName);
    const { page, logo, settings, switchers } = view;
    const home = settings.logo?.href;
    const brandHref = home === undefined ? relativeHref(page.route, htmlFileOf(homeRoute)) : view.href(home);
    const brand =
        logo === undefined
            ? `<span>${name}</span>`
            : logo.light === logo.dark
              ? `<img src="${escapeHtml(logo.light)}" alt="${name}">`
              : `<img class="on-light" src="${escapeHtml(logo.light)}" alt="${name}">` +
                `<img class="on-dark" src="${escapeHtml(logo.dark)}" alt="${name}">`;
    const { tabs, menus } = switchers;
    const sections = tabs === "" ? "" : `<nav class="top-sections" aria-label="${word("allSections")}">${tabs}</nav>`;
    return `<header class="top">
<div class="top-row">
<button class="menu" type="button" aria-label="${word("menu")}" aria-expanded="false" aria-controls="static-export-sidebar" hidden></button>
<a class="brand" href="${escapeHtml(brandHref)}">${brand}</a>
${menus}${view.searchScope !== undefined ? searchButton(settings.searchPrompt ?? word("search")) : ""}
${navbarHtml(view)}<button class="theme-switch" type="button" aria-label="${word("theme")}" hidden></button>
</div>
${sections}</header>`;
}

/** @param prompt what the field of the search says as well */
const searchButton = (prompt: string) =>
    `<button class="search-open" type="button" aria-haspopup="dialog" hidden><span>${escapeHtml(prompt)}</span><kbd>/</kbd></button>`;

function navbarHtml({ navbarLinks }: PageView): string {
    return navbarLinks.length === 0 ? "" : `<ul class="navbar">${linkItems(navbarLinks)}</ul>`;
}

function linkItems(links: readonly FrameLink[]): string {
    const items = links.map(({ label, href, icon, isIconAlone, isButton }) => {
        const text = escapeHtml(label);
        const shown = isIconAlone && icon !== "" ? `<span class="visually-hidden">${text}</span>` : text;
        return `<li><a${isButton ? ' class="button"' : ""} href="${escapeHtml(href)}">${icon}${shown}</a></li>`;
    });
    return items.join("");
}

function tocHtml(toc: readonly TocEntry[]): string {
    const items = toc.map(
        ({ id, text, depth }) =>
            `<li class="depth-${depth}"><a href="#${escapeHtml(encodeURI(id))}">${escapeHtml(text)}</a></li>`,
    );
    const list = `<p id="static-export-toc-title">${word("onThisPage")}</p><ul>${items.join("")}</ul>`;
    return `<aside class="toc"><nav aria-labelledby="static-export-toc-title">${list}</nav></aside>\n`;
}

function neighboursHtml({ previous, next }: PageView): string {
    if (previous === undefined && next === undefined) {
        return "";
    }
    const link = (to: PageLink | undefined, rel: string, label: string) =>
        to === undefined
            ? ""
            : `<a rel="${rel}" href="${to.href}"><span>${label}</span><strong>${escapeHtml(to.title)}</strong></a>`;
    const links = link(previous, "prev", word("previous")) + link(next, "next", word("next"));
    return `<nav class="neighbours" aria-label="${word("neighbours")}">${links}</nav>\n`;
}

function footerHtml({ siteName, version, footerLinks, socials }: PageView): string {
    const shown =
        version === undefined ? "" : ` <span class="version">${word("version")} ${escapeHtml(version)}</span>`;
    const list = (items: readonly FrameLink[]) => `<ul>${linkItems(items)}</ul>`;
    const columns = footerLinks.map(
        ({ title, items }) => `<div>${title === "" ? "" : `<p>${escapeHtml(title)}</p>`}${list(items)}</div>`,
    );
    const links = columns.length === 0 ? "" : `<div class="footer-links">${columns.join("")}</div>`;
    const others = socials.length === 0 ? "" : `<div class="footer-socials">${list(socials)}</div>`;
    return `<footer>${links}${others}<div><span>${escapeHtml(siteName)}</span>${shown}</div></footer>\n`;
}
