import { escapeHtml } from "./html-text.js";
import { type TocEntry } from "./page-renderer.js";
import { rootPrefix } from "./routes.js";
import { type ThemeFiles } from "./theme-files.js";

export interface PageLink {
    readonly href: string;
    readonly title: string;
}

/** Everything that one page shows; links are already relative to it. */
export interface PageView {
    readonly route: string;
    readonly siteName: string;
    readonly title: string;
    readonly description: string | undefined;
    readonly canonicalUrl: string;
    readonly noindex: boolean;
    readonly group: string | undefined;
    readonly bodyHtml: string;
    /** The body has its own first-level heading. */
    readonly hasTitle: boolean;
    readonly toc: readonly TocEntry[];
    readonly tabsHtml: string;
    readonly sidebarHtml: string;
    readonly homeHref: string;
    readonly logo: { readonly light: string; readonly dark: string } | undefined;
    readonly favicon: string | undefined;
    readonly colors: { readonly primary?: string; readonly light?: string };
    readonly navbarLinks: readonly { readonly label: string; readonly href: string }[];
    readonly previous: PageLink | undefined;
    readonly next: PageLink | undefined;
    readonly version: string | undefined;
}

/** Below this many headings a table of contents only repeats what one sees. */
const leastTocEntries = 2;

export function writePage(view: PageView, theme: ThemeFiles): string {
    const root = rootPrefix(view.route);
    const title = view.title === view.siteName ? view.title : `${view.title} – ${view.siteName}`;
    const toc = view.toc.length >= leastTocEntries ? tocHtml(view.toc) : "";
    return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${metaTags(view)}<link rel="stylesheet" href="${root}${theme.styles}">
${colorStyle(view.colors)}${scriptTag(root, theme)}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${headerHtml(view)}
<div class="layout${toc === "" ? " without-toc" : ""}">
<nav class="sidebar" id="sidebar" aria-label="Pages">${view.tabsHtml}${view.sidebarHtml}${navbarHtml(view)}</nav>
<main id="content" tabindex="-1">
<article>
${titleHtml(view)}${view.bodyHtml}
</article>
${neighboursHtml(view)}${footerHtml(view)}</main>
${toc}</div>
</body>
</html>
`;
}

function scriptTag(root: string, { script, search, searchData }: ThemeFiles): string {
    return `<script src="${root}${script}" data-search="${root}${search}" data-index="${root}${searchData}" defer></script>`;
}

function metaTags(view: PageView): string {
    const { description, favicon } = view;
    const tags = [
        description === undefined ? "" : `<meta name="description" content="${escapeHtml(description)}">`,
        `<link rel="canonical" href="${escapeHtml(view.canonicalUrl)}">`,
        `<meta property="og:title" content="${escapeHtml(view.title)}">`,
        `<meta property="og:site_name" content="${escapeHtml(view.siteName)}">`,
        description === undefined ? "" : `<meta property="og:description" content="${escapeHtml(description)}">`,
        `<meta property="og:url" content="${escapeHtml(view.canonicalUrl)}">`,
        view.noindex ? '<meta name="robots" content="noindex">' : "",
        '<meta name="color-scheme" content="light dark">',
        // An empty icon spares the browser a request for /favicon.ico that the export does not have.
        `<link rel="icon" href="${escapeHtml(favicon ?? "data:,")}">`,
    ];
    return tags
        .filter((tag) => tag !== "")
        .map((tag) => `${tag}\n`)
        .join("");
}

function colorStyle({ primary, light }: PageView["colors"]): string {
    if (primary === undefined) return "";
    const dark = light ?? primary;
    return `<style>:root{--accent:${primary}}@media (prefers-color-scheme:dark){:root{--accent:${dark}}}</style>\n`;
}

function headerHtml(view: PageView): string {
    const name = escapeHtml(view.siteName);
    const brand =
        view.logo === undefined
            ? name
            : `<picture><source srcset="${escapeHtml(view.logo.dark)}" media="(prefers-color-scheme: dark)">` +
              `<img src="${escapeHtml(view.logo.light)}" alt="${name}"></picture>`;
    const { tabsHtml } = view;
    const sections = tabsHtml === "" ? "" : `<nav class="top-sections" aria-label="Sections">${tabsHtml}</nav>`;
    return `<header class="top">
<button class="menu" type="button" aria-label="Menu" aria-expanded="false" aria-controls="sidebar" hidden></button>
<a class="brand" href="${view.homeHref}">${brand}</a>
<button class="search-open" type="button" aria-haspopup="dialog" hidden><span>Search</span><kbd>/</kbd></button>
${sections}${navbarHtml(view)}
</header>`;
}

function navbarHtml({ navbarLinks }: PageView): string {
    if (navbarLinks.length === 0) return "";
    const items = navbarLinks.map(
        ({ label, href }) => `<li><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></li>`,
    );
    return `<ul class="navbar">${items.join("")}</ul>`;
}

function titleHtml(view: PageView): string {
    const group = view.group === undefined ? "" : `<p class="eyebrow">${escapeHtml(view.group)}</p>\n`;
    if (view.hasTitle) return group;
    const lead = view.description === undefined ? "" : `<p class="lead">${escapeHtml(view.description)}</p>\n`;
    return `${group}<h1>${escapeHtml(view.title)}</h1>\n${lead}`;
}

function tocHtml(toc: readonly TocEntry[]): string {
    const items = toc.map(
        ({ id, text, depth }) =>
            `<li class="depth-${depth}"><a href="#${escapeHtml(encodeURIComponent(id))}">${escapeHtml(text)}</a></li>`,
    );
    const list = `<p id="toc-title">On this page</p><ul>${items.join("")}</ul>`;
    return `<aside class="toc"><nav aria-labelledby="toc-title">${list}</nav></aside>\n`;
}

function neighboursHtml({ previous, next }: PageView): string {
    if (previous === undefined && next === undefined) return "";
    const link = (to: PageLink | undefined, rel: string, label: string) =>
        to === undefined
            ? ""
            : `<a rel="${rel}" href="${to.href}"><span>${label}</span><strong>${escapeHtml(to.title)}</strong></a>`;
    const links = link(previous, "prev", "Previous") + link(next, "next", "Next");
    return `<nav class="neighbours" aria-label="Previous and next page">${links}</nav>\n`;
}

function footerHtml({ siteName, version }: PageView): string {
    const shown = version === undefined ? "" : ` <span class="version">Version ${escapeHtml(version)}</span>`;
    return `<footer><span>${escapeHtml(siteName)}</span>${shown}</footer>\n`;
}
