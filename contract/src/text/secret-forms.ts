/** Shorter secrets have no unambiguous encoded form. */
const minEncodedLength = 6;

/**
 * The forms in which programs print a secret: in JSON, in quotes of a shell, of Python or of JavaScript, in an address,
 * in HTML, as hexadecimal digits or as Base64.
 */
export function formsOfSecret(secret: string): string[] {
    if (secret === "") {
        return [];
    }
    if (secret.length < minEncodedLength) {
        return [secret];
    }
    const bytes = Buffer.from(secret);
    const url = percentEncoded(secret);
    const password = Object.assign(new URL("http://user@host"), { password: secret }).password;
    const json = JSON.stringify(secret).slice(1, -1);
    const hex = bytes.toString("hex");
    const entities = secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
    const named = secret
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;");
    const apostrophes = ["&#39;", "&#x27;"].map((entity) => named.replaceAll("'", entity));
    const unquoted = json.replaceAll('\\"', '"');
    const inQuotes = [
        ...[unquoted, unquoted.replaceAll("'", "\\'")],
        ...[secret.replaceAll("'", "'\\''"), secret.replaceAll("'", `'"'"'`)],
    ];
    const strict = strictlyPercentEncoded(secret);
    return [
        ...[secret, json, inAscii(json), secret.replaceAll("/", "\\/"), entities, named],
        ...apostrophes,
        ...inQuotes,
        ...[strict, lowerPercent(strict), strict.replaceAll("%2F", "/")],
        ...[
            url,
            lowerPercent(url),
            new URLSearchParams([["", secret]]).toString().slice(1),
            percentEncoded(url),
            encodeURI(secret.toWellFormed()),
            ...[password, lowerPercent(password)],
        ],
        ...[hex, hex.toUpperCase()],
        ...base64FormsOf(bytes),
    ];
}

/** Like `encodeURIComponent`, for text that may contain lone surrogates. */
function percentEncoded(text: string): string {
    return encodeURIComponent(text.toWellFormed());
}

/** As Python and others encode an address: also the characters that JavaScript leaves as they are. */
function strictlyPercentEncoded(text: string): string {
    const code = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
    return percentEncoded(text).replace(/[!'()*]/g, code);
}

function inAscii(json: string): string {
    return json.replace(/[\x80-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function lowerPercent(text: string): string {
    return text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
}

/** The secret's Base64 at each position within a longer text, such as `Bearer SECRET` or `user:SECRET`. */
function base64FormsOf(bytes: Buffer): string[] {
    return [0, 1, 2].flatMap((offset) => {
        const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
            .toString("base64")
            .replace(/={1,2}$/, "");
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
