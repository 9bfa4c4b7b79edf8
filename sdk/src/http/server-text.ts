import { redact } from "./redact.js";

const longestServerText = 500;
/** So much of it is looked at: the expressions below take quadratic time on some text. */
const longestCleanedText = 4000;

/**
 * Prepares text that a server sent for a message: one line, bounded, without the given secrets and without the queries of the
 * addresses in it, which may be presigned.
 */
export function cleanServerText(text: string, secrets: readonly string[]): string {
    const oneLine = redact(text, secrets)
        .slice(0, longestCleanedText)
        .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/"'<>@]*@/gi, "$1")
        .replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, "$1")
        .replace(/[\s\p{C}]+/gu, " ")
        .trim();
    return oneLine.length <= longestServerText ? oneLine : `${oneLine.slice(0, longestServerText)}…`;
}

/** The `error` text of an error body (docs/reference/admin-api.md, "Error"), cleaned; undefined when the body is not one. */
export function parseErrorText(body: string, secrets: readonly string[]): string | undefined {
    try {
        const { error } = JSON.parse(body) as { error?: unknown };
        return typeof error === "string" && error !== "" ? cleanServerText(error, secrets) : undefined;
    } catch {
        return undefined;
    }
}
