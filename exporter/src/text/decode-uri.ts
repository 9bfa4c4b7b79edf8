/** A part of an address as text; what is no valid encoding stays as it is. */
export function decodeUri(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
