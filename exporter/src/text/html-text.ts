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
