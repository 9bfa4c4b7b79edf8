import { dashHtml, escapeHtml } from "../../text/html-text.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { homeRoute, htmlFileOf, relativeHref, rootPrefix } from "../../read/files/routes.js";
import { frameId, neededFrameId, withoutTakenIds } from "./frame-ids.js";
import { articleHtml, changedHtml, relatedHtml } from "./article.js";
import { metaTags } from "./meta-tags.js";
import { feedbackHtml } from "./feedback.js";
import { loadsServices, policyOf } from "../../read/settings/describe-integrations.js";
import { copiedMarkdown, pageMenuHtml } from "./page-menu.js";
import { type PageLink, type PageView } from "./page-view.js";
import { type NavbarLink } from "../../read/settings/frame-settings.js";
import { inWordsOf, word, wordsForScripts } from "../../words/words.js";
import { directionOf, languageTag } from "./switchers.js";
import { type ThemeFiles } from "./theme-files.js";

/** The minimum number of headings; with fewer, a table of contents would only repeat visible text. */
const minTocEntries = 2;

/**
 * Layouts other than the default, all without a table of contents: more room (`wide`), only the page (`center`), only
 * its body (`custom`), or the body next to the list of pages (`frame`).
 */
const modes = ["wide", "center", "custom", "frame"] as const;

export function writePage(view: PageView, theme: ThemeFiles): string {
    const { page, body, siteName, settings } = view;
    const root = rootPrefix(page.route);
    const [ofPage, ofSite] = [escapeHtml(page.title), escapeHtml(siteName)];
    const title = ofPage === ofSite ? ofSite : `${ofPage} ${dashHtml} ${ofSite}`;
    const mode = modes.find((name) => name === page.meta.mode);
    const hasBeside = body.beside !== undefined && mode === undefined;
    const isBlank = mode === "custom" || mode === "frame";
    const menu = isBlank ? "" : pageMenuHtml(view);
    const hasToc = body.toc.length >= minTocEntries && mode === undefined && !hasBeside;
    const isMenuInToc = hasToc && settings.pageMenu?.display === "toc";
    const toc = hasToc ? tocHtml(body, isMenuInToc ? menu : "") : "";
    const feedback = isBlank ? "" : feedbackHtml(view);
    const end = isBlank ? "" : neighboursHtml(view) + footerHtml(view) + copiedMarkdown(view);
    const language = view.language ?? "en";
    const direction = directionOf(language) === "rtl" ? ' dir="rtl"' : "";
    const choice = settings.appearance?.default ?? "system";
    // Pages on the platform have this class, so the site's own CSS may use it.
    const appearance = choice === "system" ? "" : ` class="${choice}" data-theme="${choice}"`;
    const fixed = settings.appearance?.strict === true ? " data-theme-fixed" : "";
    const htmlOfHead = `<!doctype html>
<html lang="${escapeHtml(languageTag(language))}"${direction} data-root="${root}"${appearance}${fixed}>
<head>
<meta charset="utf-8">
${policyTag(view)}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${metaTags(view)}<link rel="stylesheet" href="${root}${theme.styles}">
${view.hasUtilities ? `<link rel="stylesheet" href="${root}${theme.utilities}">\n` : ""}${styleTags(view)}${scriptTag(root, theme, view)}
</head>
`;
    const { tabs, anchors } = view.switchers;
    const list = `<div${frameId("sidebar-content", body)}>${view.sidebarHtml}</div>`;
    const sidebar = tabs + anchors + list + navbarHtml(view, "");
    const content = neededFrameId("content-area", body);
    const htmlOfBody = `<body>
<a class="skip" href="#${content}">${word("skip")}</a>
${withoutTakenIds(view.bannerHtml, body)}${headerHtml(view)}
<div class="layout${toc === "" ? " without-toc" : ""}${hasBeside ? " with-beside" : ""}${mode === undefined ? "" : ` ${mode}`}"${frameId("body-content", body)}>
<nav class="sidebar" id="${neededFrameId("sidebar", body)}" aria-label="${word("pages")}">${sidebar}</nav>
<main id="${content}" tabindex="-1">
${articleHtml(view, isBlank, isMenuInToc ? "" : menu)}
${feedback}${relatedHtml(view)}${changedHtml(view)}${end}</main>
${toc}</div>
</body>
</html>
`;
    return inWordsOf(view.language, htmlOfHead + htmlOfBody);
}

/** Restricts pages with third-party services to the hosts of these services and to the site's own files. */
function policyTag({ settings: { integrations }, hasTryIt }: PageView): string {
    return loadsServices(integrations)
        ? `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policyOf(integrations, hasTryIt))}">\n`
        : "";
}

function scriptTag(
    root: string,
    { script, search, searchFolder, diagrams, tryIt, lists, analytics, readers, parts, part, features }: ThemeFiles,
    view: PageView,
): string {
    const forSearch =
        view.searchScope === undefined
            ? ""
            : ` data-search="${root}${search}" data-index="${root}${searchFolder}" data-scope="${view.searchScope}"`;
    const filter =
        view.searchFilter === undefined ? "" : ` data-filter="${escapeHtml(JSON.stringify(view.searchFilter))}"`;
    const needed = view.body.hasDiagram ? ` data-diagrams="${root}${diagrams}"` : "";
    const words = wordsForScripts(view.language);
    const said = words === undefined ? "" : ` data-words="${escapeHtml(JSON.stringify(words))}"`;
    const form = view.hasTryIt ? `\n<script src="${root}${tryIt}" defer></script>` : "";
    const unfolding = view.isListCut ? `\n<script src="${root}${lists}" defer></script>` : "";
    const switches = features === "" ? "" : `<script src="${root}${features}" defer></script>\n`;
    const reports = analytics === "" ? "" : `<script src="${root}${analytics}" defer></script>\n`;
    const place = part === undefined ? ` data-section="${view.section}"` : ` data-own="${part}"`;
    const forReaders =
        readers === ""
            ? ""
            : `\n<script src="${root}${readers}" data-parts="${parts.join(" ")}"${place} defer></script>`;
    const ofPage = `<script src="${root}${script}"${forSearch}${filter}${needed}${said} defer></script>`;
    return `${switches}${reports}${ofPage}${form}${unfolding}${forReaders}`;
}

function styleTags({ styles, accentStyle, lookStyle }: PageView): string {
    // Puts the site's styles, which were written for another theme, in a layer, so that our theme's rules take
    // precedence.
    const imports = styles.map((href) => `@import url("${href}") layer(site);`).join("");
    const texts = [imports, accentStyle, lookStyle].filter((css) => css !== "");
    return texts.map((css) => `<style>${css}</style>\n`).join("");
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
    const navbar = navbarHtml(view, frameId("topbar-cta-button", view.body));
    const sections = tabs === "" ? "" : `<nav class="top-sections" aria-label="${word("allSections")}">${tabs}</nav>`;
    const prompt = escapeHtml(settings.searchPrompt ?? word("search"));
    const search =
        view.searchScope === undefined
            ? ""
            : `<button class="search-open"${frameId("search-bar-entry", view.body)} type="button" aria-haspopup="dialog" hidden><span>${prompt}</span><kbd>/</kbd></button>`;
    return `<header class="top"${frameId("navbar", view.body)}>
<div class="top-row">
<button class="menu" type="button" aria-label="${word("menu")}" aria-expanded="false" aria-controls="${neededFrameId("sidebar", view.body)}" hidden></button>
<a class="brand" href="${escapeHtml(brandHref)}">${brand}</a>
${withoutTakenIds(menus, view.body)}${search}
${navbar}<button class="theme-switch" type="button" aria-label="${word("theme")}" hidden></button>
</div>
${sections}</header>`;
}

/** @param idOfButton an attribute of the first button's item; empty in the bar's copy for narrow screens */
function navbarHtml(view: PageView, idOfButton: string): string {
    const { links = [], primary = [] } = view.navbar ?? {};
    const items = linkItems(links, view) + linkItems(primary, view).replace("<li", `<li${idOfButton}`);
    return items === "" ? "" : `<ul class="navbar">${items}</ul>`;
}

function linkItems(links: readonly NavbarLink[], view: PageView): string {
    const items = links.map((link) => {
        const icon = view.icon(link);
        const label = escapeHtml(link.label);
        const shown = link.isIconAlone && icon !== "" ? `<span class="visually-hidden">${label}</span>` : label;
        const name = link.isButton ? ' class="button"' : "";
        return `<li><a${name} href="${escapeHtml(view.href(link.href))}">${icon}${shown}</a></li>`;
    });
    return items.join("");
}

function tocHtml(body: RenderedBody, menu: string): string {
    const items = body.toc.map(
        ({ id, text, depth }) =>
            `<li class="depth-${depth}"><a href="#${escapeHtml(encodeURI(id))}">${escapeHtml(text)}</a></li>`,
    );
    const headings = `<ul${frameId("table-of-contents-content", body)}>${items.join("")}</ul>`;
    const list = `<p id="static-export-toc-title">${word("onThisPage")}</p>${headings}`;
    const withMenu = menu === "" ? "" : " with-menu";
    const nav = `<nav${frameId("table-of-contents", body)} aria-labelledby="static-export-toc-title">${list}</nav>`;
    return `<aside class="toc${withMenu}"${frameId("table-of-contents-layout", body)}>${nav}${menu}</aside>\n`;
}

function neighboursHtml({ previous, next, body }: PageView): string {
    if (previous === undefined && next === undefined) {
        return "";
    }
    const link = (to: PageLink | undefined, rel: string, label: string) =>
        to === undefined
            ? ""
            : `<a rel="${rel}" href="${to.href}"><span>${label}</span><strong>${escapeHtml(to.title)}</strong></a>`;
    const links = link(previous, "prev", word("previous")) + link(next, "next", word("next"));
    return `<nav class="neighbours"${frameId("pagination", body)} aria-label="${word("neighbours")}">${links}</nav>\n`;
}

function footerHtml(view: PageView): string {
    const { siteName, footer: { links = [], socials = [] } = {} } = view;
    const list = (items: readonly NavbarLink[]) => `<ul>${linkItems(items, view)}</ul>`;
    const columns = links.map(
        ({ title, items }) => `<div>${title === "" ? "" : `<p>${escapeHtml(title)}</p>`}${list(items)}</div>`,
    );
    const lists = columns.length === 0 ? "" : `<div class="footer-links">${columns.join("")}</div>`;
    const others = socials.length === 0 ? "" : `<div class="footer-socials">${list(socials)}</div>`;
    return `<footer${frameId("footer", view.body)}>${lists}${others}<div><span>${escapeHtml(siteName)}</span></div></footer>\n`;
}
