const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text or an attribute's value, made safe between tags and between double quotes. */
export function escapeHtml(text: string): string {
    return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => entities[character] as string) : text;
}
