/** A part of an address as text; invalid encodings are left unchanged. */
export function decodeUri(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
