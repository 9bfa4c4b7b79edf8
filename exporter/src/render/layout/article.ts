import { escapeHtml, textOfHtml } from "../../text/html-text.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { dayOfChange } from "../../read/front-matter/front-matter.js";
import { operationOf } from "../../plan/site-page.js";
import { word } from "../../words/words.js";
import { frameId, withIdOfFirst } from "./frame-ids.js";
import { type PageView } from "./page-view.js";
import { languageTag } from "./switchers.js";

/**
 * @param isBlank whether the page shows only its body, and its title only to screen readers
 * @param menu the page's menu, above its title
 */
export function articleHtml(view: PageView, isBlank: boolean, menu: string): string {
    const beside = besideWithIds(view);
    const { html, added } = isBlank ? { html: view.body.html, added: 0 } : withLead(view);
    const head = menu + titleHtml(view, isBlank) + endpointHtml(view) + feedHtml(view);
    const start = `<article${frameId("content", view.body)}>`;
    if (beside === undefined) {
        return `${start}\n${head}${html}${view.directoryHtml}\n</article>`;
    }
    const [above, below] = [html.slice(0, beside.at + added), html.slice(beside.at + added)];
    const group = `<div class="beside" role="group" aria-label="${word("details")}" tabindex="0">${beside.html}</div>`;
    return `${start}\n<div>${head}${above}</div>\n${group}\n<div>${below}${view.directoryHtml}</div>\n</article>`;
}

/** Adds ids to the first panel and the first examples in the content next to the text. */
function besideWithIds({ body }: PageView): RenderedBody["beside"] {
    const { beside } = body;
    const ids = [
        ['<div class="panel"', "panel"],
        ['<div class="example" data-of="request"', "request-example"],
        ['<div class="example" data-of="response"', "response-example"],
    ] as const;
    const add = (html: string, [start, id]: (typeof ids)[number]) => withIdOfFirst(html, start, id, body);
    return beside && { ...beside, html: ids.reduce(add, beside.html) };
}

/**
 * The body with the page's own description below its first-level heading, unless the text there equals the description.
 */
function withLead({ body: { html, hasTitle, lead } }: PageView): { html: string; added: number } {
    const title = hasTitle ? /^<h1[\s>].*?<\/h1>/s.exec(html)?.[0] : undefined;
    if (title === undefined || lead === undefined || lead.html === "" || says(html.slice(title.length), lead.text)) {
        return { html, added: 0 };
    }
    const shown = `\n<p class="lead">${lead.html}</p>`;
    return { html: title + shown + html.slice(title.length), added: shown.length };
}

/** Whether the HTML contains the text near its beginning. */
function says(html: string, text: string): boolean {
    const words = textOfHtml(escapeHtml(text));
    return textOfHtml(html.slice(0, 4 * words.length + 2000))
        .slice(0, 2 * words.length + 200)
        .includes(words);
}

function titleHtml({ page, body, group, leadHtml = "" }: PageView, isBlank: boolean): string {
    const title = escapeHtml(page.title);
    if (isBlank) {
        return body.hasTitle ? "" : `<h1 class="visually-hidden">${title}</h1>\n`;
    }
    const groups = group.length === 0 ? "" : `<p class="eyebrow">${escapeHtml(group.join(" › "))}</p>\n`;
    if (body.hasTitle) {
        return groups;
    }
    const lead = leadHtml === "" ? "" : `<p class="lead">${leadHtml}</p>\n`;
    const isDeprecated = page.meta.deprecated === true && operationOf(page) === undefined;
    const mark = isDeprecated ? ` <span class="badge orange">${word("deprecated")}</span>` : "";
    // Hides a title that the operation's line repeats.
    const operation = operationOf(page);
    const isRepeatedBelow =
        operation !== undefined && page.title === `${operation.method.toUpperCase()} ${operation.path}`;
    const name = isRepeatedBelow ? ' class="visually-hidden"' : "";
    const heading = `<h1${frameId("page-title", body)}${name}>${title}${mark}</h1>`;
    return `<header${frameId("header", body)}>\n${groups}${heading}\n${lead}</header>\n`;
}

/** The operation in `api: POST /v1/users` of a page without a document. */
function endpointHtml({ page, settings: { apiServer = "" } }: PageView): string {
    const [, method, path] = /^\s*([a-z]{3,10})\s+(\S+)\s*$/i.exec(page.meta.api ?? "") ?? [];
    if (operationOf(page) !== undefined || method === undefined || path === undefined) {
        return "";
    }
    const name = `<span class="method ${method.toLowerCase()}">${method.toUpperCase()}</span>`;
    const address = /^https?:/i.test(path) ? path : apiServer + path;
    return `<p class="operation">${name} <code>${escapeHtml(address)}</code></p>\n`;
}

function feedHtml({ feedHref, page }: PageView): string {
    return page.meta.rss === true && feedHref !== undefined
        ? `<p class="feed"><a href="${escapeHtml(feedHref)}">${word("feed")}</a></p>\n`
        : "";
}

export function relatedHtml({ related }: PageView): string {
    const items = related.map(({ href, title }) => `<li><a href="${escapeHtml(href)}">${escapeHtml(title)}</a></li>`);
    return items.length === 0
        ? ""
        : `<nav class="related" aria-labelledby="static-export-related"><p id="static-export-related">${word("related")}</p><ul>${items.join("")}</ul></nav>\n`;
}

/** The day of the last change, if the site's or the page's settings show this day. */
export function changedHtml({ page: { meta }, settings, language = "en" }: PageView): string {
    const changedOn = (meta.timestamp ?? settings.timestamp) === true ? dayOfChange(meta) : undefined;
    if (changedOn === undefined) {
        return "";
    }
    const day = dayFormatOf(language).format(new Date(changedOn));
    return `<p class="changed">${word("changed")} <time datetime="${changedOn}">${day}</time></p>\n`;
}

/** Falls back to English for an unknown code. */
function dayFormatOf(language: string): Intl.DateTimeFormat {
    const options = { dateStyle: "long", timeZone: "UTC" } as const;
    try {
        return new Intl.DateTimeFormat(languageTag(language), options);
    } catch {
        return new Intl.DateTimeFormat("en", options);
    }
}
