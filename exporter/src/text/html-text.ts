import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** The text of HTML that this exporter wrote, on one line, still escaped. */
export function textOfHtml(html: string): string {
    return html
        .replace(/<[^>]*>?/g, " ")
        .replace(/\s+/g, " ")
        .trim();
}

/** The text of HTML that this exporter wrote, unescaped. */
export function plainTextOfHtml(html: string): string {
    return unescapeHtml(textOfHtml(html));
}

/** The text that readers see in HTML that this exporter wrote, on one line, without the links of headings. */
export function shownTextOfHtml(html: string): string {
    const texts: string[] = [];
    const visit = (node: DefaultTreeAdapterTypes.ChildNode): void => {
        if ("value" in node) {
            texts.push(node.value);
        } else if ("childNodes" in node && !unseen.has(node.tagName) && !isHeadingLink(node)) {
            texts.push(" ");
            node.childNodes.forEach(visit);
            texts.push(" ");
        }
    };
    parseFragment(html).childNodes.forEach(visit);
    return texts.join("").replace(/\s+/g, " ").trim();
}

const unseen: ReadonlySet<string> = new Set(["script", "style", "template", "svg"]);

function isHeadingLink({ tagName, attrs }: DefaultTreeAdapterTypes.Element): boolean {
    return tagName === "a" && attrs.some(({ name, value }) => name === "class" && value === "anchor");
}

/** Text, escaped for XML, without the characters that XML does not allow. */
export function escapeXml(text: string): string {
    // eslint-disable-next-line no-control-regex -- this pattern finds control characters
    return escapeHtml(text.toWellFormed().replace(/[\0-\x08\x0B\f\x0E-\x1F\uFFFE\uFFFF]/g, ""));
}

/** Replaces the most common entities with their characters. */
export function unescapeHtml(text: string): string {
    return text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => characters[entity] as string);
}

const characters: Record<string, string> = {
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&nbsp;": "\u00a0",
};

/**
 * A dash between two names. The character is not in Latin-1: it would double the size of a page's string, which slows
 * down everything that reads the page.
 */
export const dashHtml = "&ndash;";

/** Text, escaped for use between tags or within double quotes. */
export function escapeHtml(text: string): string {
    return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => entities[character] as string) : text;
}
