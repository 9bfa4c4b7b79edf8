import { escapeHtml } from "../text/html-text.js";
import { type BesideText } from "../page/render-host.js";
import { word } from "../words/words.js";
import { type HeadView } from "./meta-tags.js";
import { languageTag } from "./switchers.js";

export interface PageLink {
    readonly href: string;
    readonly title: string;
}

export interface Endpoint {
    readonly method: string;
    readonly address: string;
}

/** What a page's article shows, and what is said below it. */
export interface ArticleView extends Pick<HeadView, "title" | "feedHref"> {
    readonly leadHtml: string | undefined;
    /** The groups that the page names above its title, outermost first. */
    readonly group: readonly string[];
    readonly bodyHtml: string;
    readonly beside: BesideText | undefined;
    /** What the page's group holds, where the page lists it. */
    readonly directoryHtml: string;
    /** The body has its own first-level heading. */
    readonly hasTitle: boolean;
    /** Whether readers see a link to the feed. */
    readonly hasFeedLink: boolean;
    /** The address of the page's operation, for one without a document. */
    readonly endpoint: Endpoint | undefined;
    readonly isDeprecated: boolean;
    /** The day of the last change, where it is shown. */
    readonly changedOn: string | undefined;
    readonly related: readonly PageLink[];
    /** The code of the page's language; undefined for English. */
    readonly language: string | undefined;
}

/** @param isBlank whether the page's body is all that it shows; the title is then for screen readers */
export function articleHtml(view: ArticleView, isBlank: boolean): string {
    const { beside, bodyHtml } = view;
    const head = titleHtml(view, isBlank) + endpointHtml(view) + feedHtml(view);
    if (beside === undefined) {
        return `<article>\n${head}${bodyHtml}${view.directoryHtml}\n</article>`;
    }
    const [above, below] = [bodyHtml.slice(0, beside.at), bodyHtml.slice(beside.at)];
    const group = `<div class="beside" role="group" aria-label="${word("details")}" tabindex="0">${beside.html}</div>`;
    return `<article>\n<div>${head}${above}</div>\n${group}\n<div>${below}${view.directoryHtml}</div>\n</article>`;
}

function titleHtml(view: ArticleView, isBlank: boolean): string {
    if (isBlank) {
        return view.hasTitle ? "" : `<h1 class="visually-hidden">${escapeHtml(view.title)}</h1>\n`;
    }
    const group = view.group.length === 0 ? "" : `<p class="eyebrow">${escapeHtml(view.group.join(" › "))}</p>\n`;
    if (view.hasTitle) {
        return group;
    }
    const lead = view.leadHtml === undefined || view.leadHtml === "" ? "" : `<p class="lead">${view.leadHtml}</p>\n`;
    const mark = view.isDeprecated ? ` <span class="badge orange">${word("deprecated")}</span>` : "";
    return `${group}<h1>${escapeHtml(view.title)}${mark}</h1>\n${lead}`;
}

function endpointHtml({ endpoint }: ArticleView): string {
    if (endpoint === undefined) {
        return "";
    }
    const { method, address } = endpoint;
    const name = `<span class="method ${method}">${method.toUpperCase()}</span>`;
    return `<p class="operation">${name} <code>${escapeHtml(address)}</code></p>\n`;
}

function feedHtml({ feedHref, hasFeedLink }: ArticleView): string {
    return hasFeedLink && feedHref !== undefined
        ? `<p class="feed"><a href="${escapeHtml(feedHref)}">${word("feed")}</a></p>\n`
        : "";
}

export function relatedHtml({ related }: ArticleView): string {
    const items = related.map(({ href, title }) => `<li><a href="${escapeHtml(href)}">${escapeHtml(title)}</a></li>`);
    return items.length === 0
        ? ""
        : `<nav class="related" aria-labelledby="static-export-related"><p id="static-export-related">${word("related")}</p><ul>${items.join("")}</ul></nav>\n`;
}

export function changedHtml({ changedOn, language = "en" }: ArticleView): string {
    const day = changedOn === undefined ? undefined : dayFormatOf(language).format(new Date(changedOn));
    return day === undefined
        ? ""
        : `<p class="changed">${word("changed")} <time datetime="${changedOn}">${day}</time></p>\n`;
}

/** English for an unknown code. */
function dayFormatOf(language: string): Intl.DateTimeFormat {
    const options = { dateStyle: "long", timeZone: "UTC" } as const;
    try {
        return new Intl.DateTimeFormat(languageTag(language), options);
    } catch {
        return new Intl.DateTimeFormat("en", options);
    }
}
