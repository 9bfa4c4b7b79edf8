const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** The text of HTML that this exporter wrote, on one line, still escaped. */
export function textOfHtml(html: string): string {
    return html
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim();
}

/** The text of HTML that this exporter wrote, unescaped. */
export function plainTextOfHtml(html: string): string {
    return textOfHtml(html).replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] as string);
}

const characters: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** Text, escaped for use between tags or within double quotes. */
export function escapeHtml(text: string): string {
    return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => entities[character] as string) : text;
}
