import { beginningOf, endOf } from "./cut-text.js";
import { formsOfSecret } from "./secret-forms.js";

/** What was done is at the start of a longer text, and why it failed at its end, as in the log of a build. */
const keptOfServerText = { start: 200, end: 300 };
/** Limits the work of cleaning. */
const maxCleanedTextLength = 4000;

/** Headers and parameters whose values are credentials, also those that a client derives from its secrets. */
const credentials = [
    /\b(AWS4-HMAC-SHA256|AWS4-ECDSA-P256-SHA256)\b[^"'<>]*/gi,
    /\b(Bearer|Basic|SharedKey|SharedKeyLite)[ \t]+(?:[\w.-]{1,63}:)?[\w.~+/=-]{16,}/gi,
    /\b((?:x-amz-)?(?:signature|security-token|credential)|sig|access_token)(?:=|%3D)[^\s&"'<>,;]+/gi,
];

/** JSON Web Tokens, which identity providers give to clients, and the same in Base64. */
const identityTokens = /\b(?:eyJ[\w-]{8,}\.[\w-]{8,}\.?[\w-]*|ZXlK[\w+/-]{24,}=*)/g;

/** Replaces every occurrence of a secret, also of its encoded forms, with `[secret]`. Ignores empty secrets. */
export function redact(text: string, secrets: readonly string[]): string {
    return [...new Set(secrets.flatMap(formsOfSecret))]
        .sort((a, b) => b.length - a.length)
        .reduce((redacted, form) => redacted.replaceAll(form, "[secret]"), text);
}

/**
 * Makes server text safe for a message: one line, bounded, without control characters, without the given secrets, and
 * without signatures and the queries of URLs, which may be presigned.
 */
export function cleanServerText(text: string, secrets: readonly string[]): string {
    const withoutAddresses = beginningOf(redact(text, secrets), maxCleanedTextLength).replace(
        /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/"'<>@]*@)?([^\s?#"'<>]*)(?:[?#][^\s"'<>]*)?/gi,
        "$1$2",
    );
    const oneLine = credentials
        .reduce((cleaned, pattern) => cleaned.replace(pattern, "$1 [secret]"), withoutAddresses)
        .replace(identityTokens, "[secret]")
        .replace(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, " ")
        .trim();
    const { start, end } = keptOfServerText;
    if (oneLine.length <= start + end) {
        return oneLine;
    }
    // Where a text was cut for cleaning, a credential may have lost the part by which it is recognized.
    const isWhole = text.length <= maxCleanedTextLength;
    return isWhole
        ? `${beginningOf(oneLine, start)} … ${endOf(oneLine, end)}`
        : `${beginningOf(oneLine, start + end)}…`;
}
