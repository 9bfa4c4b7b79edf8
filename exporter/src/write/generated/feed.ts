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
    /<section class="update" id="([^"]*)"(?: data-feed-title="([^"]*)")?(?: data-feed-description="([^"]*)")?><div class="update-head"><p class="update-label"><a [^>]*>(.*?)<\/a><\/p>(?:<p class="update-text">(.*?)<\/p>)?/;
const maxTextLength = 1000;

/** The feed of a page's updates; undefined for a page without updates. */
export function writeFeed({ title, description, url, html }: FeedOptions): string | undefined {
    const items = html.split(/(?=<section class="update" id=")/).flatMap((part) => {
        const [, id, title, description, label, below = ""] = update.exec(part) ?? [];
        if (id === undefined || label === undefined) {
            return [];
        }
        const date = [label, below].map((each) => dateOf(textOfHtml(each).trim())).find((each) => each !== undefined);
        return [itemOf(url, { id, label: textOfHtml(label), date }, part, { title, description })];
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
    { id, label, date }: { readonly id: string; readonly label: string; readonly date: string | undefined },
    html: string,
    own: { readonly title: string | undefined; readonly description: string | undefined },
): string {
    const link = `${escapeHtml(url)}#${id}`;
    const text = own.description ?? cut(textOfHtml(html.slice(html.indexOf("</div>"))));
    const published = date === undefined ? "" : `<pubDate>${date}</pubDate>`;
    return `<item><title>${own.title ?? label}</title><link>${link}</link><guid>${link}</guid>${published}<description>${text}</description></item>\n`;
}

/** Does not cut a word or an escaped character in two. */
function cut(text: string): string {
    return text.length <= maxTextLength ? text : `${text.slice(0, text.lastIndexOf(" ", maxTextLength))} …`;
}

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const isoDate = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/;
const longMonth =
    "(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
const monthFirst = new RegExp(`^${longMonth} (?:(\\d{1,2})(?:st|nd|rd|th)?,? )?(\\d{4})$`, "i");
const dayFirst = new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?\\.? ${longMonth},? (\\d{4})$`, "i");

/** Reads the dates that mean the same day everywhere; a month means its first day. */
function dateOf(text: string): string | undefined {
    const [, isoYear, isoMonth, isoDay = "1"] = isoDate.exec(text) ?? [];
    const [, month, day = "1", year] = monthFirst.exec(text) ?? [];
    const [, firstDay, ofDay, ofYear] = dayFirst.exec(text) ?? [];
    const name = (month ?? ofDay ?? "").slice(0, 3).toLowerCase();
    const number = isoMonth === undefined ? monthNames.indexOf(name) + 1 : Number(isoMonth);
    const date = Number(isoYear === undefined ? (firstDay ?? day) : isoDay);
    const time = Date.UTC(Number(isoYear ?? year ?? ofYear), number - 1, date);
    const found = new Date(time);
    const isReal = found.getUTCMonth() === number - 1 && found.getUTCDate() === date;
    return number > 0 && isReal ? found.toUTCString() : undefined;
}
