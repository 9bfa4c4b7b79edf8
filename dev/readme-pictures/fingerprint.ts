import { createHash } from "node:crypto";

/** Returns a short digest of what a picture shows. */
export function fingerprint(shown: string): string {
    return createHash("sha256").update(shown).digest("hex").slice(0, 16);
}

/** Returns the text of a page without what differs in each run: numbers, times and ids. */
export function textOf(html: string): string {
    return html
        .replace(/<(script|style|svg|head)\b[^]*?<\/\1>/g, " ")
        .replace(/<[^>]*>/g, " ")
        .replace(/\b(?:[a-z]{2}_)?[\da-f]{8,}…?/g, "ID")
        .replace(/\d[\d.,:]*/g, "0")
        .replace(/\b0 (?:ms|s|min|h)\b/g, "0 s")
        .replace(/\s+/g, " ")
        .trim();
}
