import { escapeXml, shownTextOfHtml, unescapeHtml } from "../../text/html-text.js";
import { wordsBefore } from "../../text/strings.js";

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
    /<section class="update" id="([^"]*)"(?: data-feed-title="([^"]*)")?(?: data-feed-description="([^"]*)")?><div class="update-head"><p class="update-label"><a [^>]*>([^]*?)<\/a><\/p>(?:<p class="update-text">([^]*?)<\/p>)?/;
const maxTextLength = 1000;

/** The feed of a page's updates; undefined for a page without updates. */
export function writeFeed({ title, description, url, html }: FeedOptions): string | undefined {
    const items = html.split(/(?=<section class="update" id=")/).flatMap((part) => {
        const [, id, ownTitle, ownText, label, below = ""] = update.exec(part) ?? [];
        if (id === undefined || label === undefined) {
            return [];
        }
        const date = [label, below].map((each) => dateOf(shownTextOfHtml(each))).find((each) => each !== undefined);
        const text =
            ownText === undefined ? cut(shownTextOfHtml(part.slice(part.indexOf("</div>")))) : unescapeHtml(ownText);
        const named = ownTitle === undefined ? shownTextOfHtml(label) : unescapeHtml(ownTitle);
        return [itemOf(`${url}#${unescapeHtml(id)}`, { title: named, date, text })];
    });
    return items.length === 0
        ? undefined
        : `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>${escapeXml(title)}</title>
<link>${escapeXml(url)}</link>
<description>${escapeXml(description ?? title)}</description>
${items.join("")}</channel></rss>
`;
}

function itemOf(
    link: string,
    { title, date, text }: { readonly title: string; readonly date: string | undefined; readonly text: string },
): string {
    const place = escapeXml(link);
    const published = date === undefined ? "" : `<pubDate>${date}</pubDate>`;
    return (
        `<item><title>${escapeXml(title)}</title><link>${place}</link><guid>${place}</guid>${published}` +
        `<description>${escapeXml(text)}</description></item>\n`
    );
}

function cut(text: string): string {
    return text.length <= maxTextLength ? text : `${wordsBefore(text, maxTextLength, " ")} …`;
}

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const isoDate =
    /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)? ?(?:([+-]\d{2}):?(\d{2})|Z)?)?)?$/i;
const longMonth =
    "(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
const monthFirst = new RegExp(`^${longMonth} (?:(\\d{1,2})(?:st|nd|rd|th)?,? )?(\\d{4})$`, "i");
const dayFirst = new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?\\.? ${longMonth},? (\\d{4})$`, "i");

/**
 * Reads the dates that mean the same day everywhere; a month means its first day, and a time without a zone is in UTC.
 */
function dateOf(text: string): string | undefined {
    const [, isoYear, isoMonth, isoDay = "1", clock, zone = "+00", zoneMinutes = "00"] = isoDate.exec(text) ?? [];
    const [, month, day = "1", year] = monthFirst.exec(text) ?? [];
    const [, firstDay, ofDay, ofYear] = dayFirst.exec(text) ?? [];
    const name = (month ?? ofDay ?? "").slice(0, 3).toLowerCase();
    const number = isoMonth === undefined ? monthNames.indexOf(name) + 1 : Number(isoMonth);
    const date = Number(isoYear === undefined ? (firstDay ?? day) : isoDay);
    const time = Date.UTC(Number(isoYear ?? year ?? ofYear), number - 1, date);
    const found = new Date(time);
    const isReal = found.getUTCMonth() === number - 1 && found.getUTCDate() === date;
    const exact = Date.parse(`${isoYear}-${isoMonth}-${isoDay}T${clock}${zone}:${zoneMinutes}`);
    return number > 0 && isReal ? (Number.isNaN(exact) ? found : new Date(exact)).toUTCString() : undefined;
}
