const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** The text of HTML that this exporter wrote, on one line. Characters stay escaped. */
export function textOfHtml(html: string): string {
    return html
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim();
}

/** The text of HTML that this exporter wrote, for places that escape it themselves. */
export function plainTextOfHtml(html: string): string {
    return textOfHtml(html).replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] as string);
}

const characters: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** Text or an attribute's value, escaped for use between tags and double quotes. */
export function escapeHtml(text: string): string {
    return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => entities[character] as string) : text;
}
