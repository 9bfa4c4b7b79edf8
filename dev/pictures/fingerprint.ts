import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The file with the fingerprint of what each picture shows. */
export const drawnFile = fileURLToPath(new URL("drawn.json", import.meta.url));

export const imagesFolder = fileURLToPath(new URL("../../docs/images/", import.meta.url));

/** Returns the recorded fingerprints of the pictures with these names. */
export async function readDrawn(names: readonly string[]): Promise<Record<string, string | undefined>> {
    const drawn = JSON.parse(await readFile(drawnFile, "utf8")) as Record<string, string>;
    return Object.fromEntries(names.map((name) => [name, drawn[name]]));
}

/** Returns a short digest of what a picture shows, and of how these styles show it. */
export async function fingerprint(shown: string, styles?: "exporter/theme/site.css" | "service/theme/dashboard.css") {
    const hash = createHash("sha256").update(shown);
    if (styles !== undefined) {
        hash.update(await readFile(new URL(`../../${styles}`, import.meta.url)));
    }
    return hash.digest("hex").slice(0, 16);
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
