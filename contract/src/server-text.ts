/** What was done is at the start of a longer text, and why it failed at its end, as in the log of a build. */
const keptOfServerText = { start: 200, end: 300 };
/** Limits the work of cleaning. */
const maxCleanedTextLength = 4000;
/** Shorter secrets have no unambiguous encoded form. */
const minEncodedLength = 6;

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
    return [...new Set(secrets.flatMap(formsOf))]
        .sort((a, b) => b.length - a.length)
        .reduce((redacted, form) => redacted.replaceAll(form, "[secret]"), text);
}

/**
 * Makes server text safe for a message: one line, bounded, without control characters, without the given secrets, and
 * without signatures and the queries of URLs, which may be presigned.
 */
export function cleanServerText(text: string, secrets: readonly string[]): string {
    const withoutAddresses = redact(text, secrets)
        .slice(0, maxCleanedTextLength)
        .replace(
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
    return isWhole ? `${oneLine.slice(0, start)} … ${oneLine.slice(-end)}` : `${oneLine.slice(0, start + end)}…`;
}

function formsOf(secret: string): string[] {
    if (secret === "") {
        return [];
    }
    if (secret.length < minEncodedLength) {
        return [secret];
    }
    const bytes = Buffer.from(secret);
    const url = percentEncoded(secret);
    const hex = bytes.toString("hex");
    const entities = secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
    const named = secret
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;");
    return [
        ...[secret, JSON.stringify(secret).slice(1, -1), secret.replaceAll("/", "\\/"), entities, named],
        ...[
            url,
            lowerPercent(url),
            new URLSearchParams([["", secret]]).toString().slice(1),
            percentEncoded(url),
            encodeURI(secret),
        ],
        ...[hex, hex.toUpperCase()],
        ...base64FormsOf(bytes),
    ];
}

/** Like `encodeURIComponent`, for text that may contain lone surrogates. */
function percentEncoded(text: string): string {
    return encodeURIComponent(text.toWellFormed());
}

function lowerPercent(text: string): string {
    return text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
}

/** The secret's Base64 at each position within a longer text, such as `Bearer SECRET` or `user:SECRET`. */
function base64FormsOf(bytes: Buffer): string[] {
    return [0, 1, 2].flatMap((offset) => {
        const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
            .toString("base64")
            .replace(/=+$/, "");
        // The first and last characters may share bits with the surrounding text.
        const from = offset === 0 ? 0 : offset + 1;
        const isWhole = (offset + bytes.length) % 3 === 0;
        const inner = encoded.slice(from, isWhole ? undefined : -1);
        const forms = offset === 0 ? [encoded, inner] : [inner];
        return forms
            .filter(({ length }) => length >= minEncodedLength)
            .flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_"), percentEncoded(form)]);
    });
}
