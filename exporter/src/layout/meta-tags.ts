import { type Metatags } from "../front-matter/metatags.js";
import { escapeHtml } from "../text/html-text.js";
import { type Switchers } from "./switchers.js";

/** The tags of a page for search engines and previews of links. */
export interface PageMetadata {
    readonly canonicalUrl: string;
    readonly noindex: boolean;
    readonly keywords: readonly string[];
    /** Of the site, for what a page does not say itself. */
    readonly siteTags: Metatags;
    /** Of the page: they take precedence over all others. */
    readonly pageTags: Metatags;
}

/** The data of a page's head. */
export interface HeadView {
    readonly siteName: string;
    readonly title: string;
    /** Without markup. */
    readonly description: string | undefined;
    readonly metadata: PageMetadata;
    readonly switchers: Switchers;
    readonly favicon: { readonly light: string; readonly dark: string } | undefined;
    /** The file with the page's Markdown, relative to the page. */
    readonly markdownHref: string | undefined;
    /** The feed of the page's updates, relative to the page. */
    readonly feedHref: string | undefined;
}

/** The tags of the head, one a line. */
export function metaTags(view: HeadView): string {
    const { favicon, metadata } = view;
    const links = [
        `<link rel="canonical" href="${escapeHtml(metadata.canonicalUrl)}">`,
        ...view.switchers.alternates.map(
            ({ language, url }) =>
                `<link rel="alternate" hreflang="${escapeHtml(language)}" href="${escapeHtml(url)}">`,
        ),
        view.markdownHref === undefined
            ? ""
            : `<link rel="alternate" type="text/markdown" href="${escapeHtml(view.markdownHref)}">`,
        view.feedHref === undefined
            ? ""
            : `<link rel="alternate" type="application/rss+xml" href="${escapeHtml(view.feedHref)}">`,
    ];
    const tags = [...tagsOf(view)].map(
        ([name, content]) => `<meta ${attributeFor(name)}="${escapeHtml(name)}" content="${escapeHtml(content)}">`,
    );
    return [...tags, ...links, '<meta name="color-scheme" content="light dark">', ...icons(favicon)]
        .filter((tag) => tag !== "")
        .map((tag) => `${tag}\n`)
        .join("");
}

function icons(favicon: HeadView["favicon"]): string[] {
    if (favicon === undefined || favicon.light === favicon.dark) {
        // An empty icon spares the browser a request for /favicon.ico that the export does not have.
        return [`<link rel="icon" href="${escapeHtml(favicon?.light ?? "data:,")}">`];
    }
    return (["light", "dark"] as const).map(
        (scheme) => `<link rel="icon" href="${escapeHtml(favicon[scheme])}" media="(prefers-color-scheme: ${scheme})">`,
    );
}

function tagsOf(view: HeadView): Map<string, string> {
    const { description, siteName, title } = view;
    const { siteTags, pageTags, keywords, canonicalUrl, noindex } = view.metadata;
    const tags = new Map<string, string>();
    const add = (entries: Readonly<Record<string, string | undefined>>) =>
        Object.entries(entries).forEach(([name, content]) => content !== undefined && tags.set(name, content));
    add({ "og:site_name": siteName });
    add(siteTags);
    add({
        description,
        keywords: keywords.length === 0 ? undefined : keywords.join(", "),
        "og:title": title,
        "og:description": description,
        "og:url": canonicalUrl,
    });
    add(pageTags);
    if ((tags.has("og:image") || tags.has("twitter:image")) && !tags.has("twitter:card")) {
        tags.set("twitter:card", "summary_large_image");
    }
    if (noindex) {
        tags.set("robots", "noindex");
    }
    return tags;
}

/** Open Graph and the vocabularies beside it are RDFa; all others are HTML's. */
function attributeFor(name: string): string {
    return /^(?:og|article|book|music|profile|video|fb):/.test(name) ? "property" : "name";
}
