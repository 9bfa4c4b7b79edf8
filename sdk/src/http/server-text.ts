import { redact } from "./redact.js";

const maxServerTextLength = 500;
/** Limits the input of the regular expressions below, which take quadratic time for some input. */
const maxCleanedTextLength = 4000;

/**
 * Makes server text safe for a message: one line, bounded, without the given secrets and without the queries of URLs,
 * which may be presigned.
 */
export function cleanServerText(text: string, secrets: readonly string[]): string {
    const oneLine = redact(text, secrets)
        .slice(0, maxCleanedTextLength)
        .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/"'<>@]*@/gi, "$1")
        .replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, "$1")
        .replace(/[\s\p{C}]+/gu, " ")
        .trim();
    return oneLine.length <= maxServerTextLength ? oneLine : `${oneLine.slice(0, maxServerTextLength)}…`;
}

/**
 * Returns the cleaned `error` text of an error body (docs/reference/admin-api.md, "Error"); undefined for any other
 * body.
 */
export function parseErrorText(body: string, secrets: readonly string[]): string | undefined {
    try {
        const { error } = JSON.parse(body) as { error?: unknown };
        return typeof error === "string" && error !== "" ? cleanServerText(error, secrets) : undefined;
    } catch {
        return undefined;
    }
}
