import { escapeHtml, textOfHtml } from "../../text/html-text.js";

interface FeedOptions {
    readonly title: string;
    readonly description: string | undefined;
    /** The page's address. */
    readonly url: string;
    /** The page's body, with its `<Update>`s. */
    readonly html: string;
}

/** The content of a page with updates. */
export const updateMark = '<section class="update" id="';

const update =
    /<section class="update" id="([^"]*)"(?: data-feed-title="([^"]*)")?(?: data-feed-description="([^"]*)")?><div class="update-head"><p class="update-label"><a [^>]*>(.*?)<\/a>/;
const maxTextLength = 1000;

/** The feed of a page's updates; undefined for a page without updates. */
export function writeFeed({ title, description, url, html }: FeedOptions): string | undefined {
    const items = html.split(/(?=<section class="update" id=")/).flatMap((part) => {
        const [, id, title, description, label] = update.exec(part) ?? [];
        return id === undefined || label === undefined
            ? []
            : [itemOf(url, id, textOfHtml(label), part, { title, description })];
    });
    return items.length === 0
        ? undefined
        : `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>${escapeHtml(title)}</title>
<link>${escapeHtml(url)}</link>
<description>${escapeHtml(description ?? title)}</description>
${items.join("")}</channel></rss>
`;
}

/** @param own the title and description that the author wrote for the feed */
function itemOf(
    url: string,
    id: string,
    label: string,
    html: string,
    own: { readonly title: string | undefined; readonly description: string | undefined },
): string {
    const link = `${escapeHtml(url)}#${id}`;
    const text = own.description ?? cut(textOfHtml(html.slice(html.indexOf("</div>"))));
    const date = dateOf(label);
    const published = date === undefined ? "" : `<pubDate>${date}</pubDate>`;
    return `<item><title>${own.title ?? label}</title><link>${link}</link><guid>${link}</guid>${published}<description>${text}</description></item>\n`;
}

/** Does not cut a word or an escaped character in two. */
function cut(text: string): string {
    return text.length <= maxTextLength ? text : `${text.slice(0, text.lastIndexOf(" ", maxTextLength))} …`;
}

/** Reads the two date formats that mean the same day in every time zone. */
function dateOf(label: string): string | undefined {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(label);
    const time = isDay || /^[A-Z][a-z]+ \d{1,2}, \d{4}$/.test(label) ? Date.parse(`${label} UTC`) : NaN;
    return Number.isNaN(time) ? undefined : new Date(time).toUTCString();
}
