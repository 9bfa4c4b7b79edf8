import { trimTrailing } from "@pulumi-static-export/contract";
/**
 * The ways to encode one string within another. All strings here are byte strings (each character is one byte of
 * UTF-8), because encoded text may begin or end within a character.
 */
export function toBytes(text: string): string {
    return Buffer.from(text, "utf8").toString("latin1");
}

export function fromBytes(bytes: string): string {
    return Buffer.from(bytes, "latin1").toString("utf8");
}

/** UTF-16 with the lower byte first. */
export function toUtf16(text: string): string {
    return Buffer.from(text, "utf16le").toString("latin1");
}

/** The other byte order. */
export function swapPairs(bytes: string): string {
    return Buffer.from(bytes, "latin1").swap16().toString("latin1");
}

const minKeyBytes = 16;
/** Longer text is a file. */
const hexadecimalKey = /^(?:[\da-f]{2}){16,256}$/i;
const base64Key = /^[A-Za-z\d+/_-]{22,512}={0,2}$/;

/** The other forms in which providers show a random key: its bytes, which any encoding may contain, and its number. */
export function keyForms(text: string): string[] {
    const encoding = hexadecimalKey.test(text) ? "hex" : "base64";
    if (encoding === "base64" && !base64Key.test(text)) {
        return [];
    }
    const bytes = Buffer.from(text, encoding);
    const number = BigInt(`0x${bytes.toString("hex")}`).toString();
    return [bytes.toString("latin1"), number].filter((form) => form.length >= minKeyBytes);
}

/** An encoding that replaces single characters, as in `100%25`. */
interface Escaping {
    readonly tokens: RegExp;
    readonly decode: (token: string) => string;
    readonly encode: (bytes: string) => string;
}

const encodePercent = (bytes: string) => toBytes(encodeURIComponent(fromBytes(bytes)));
const decodePercent = (token: string) => String.fromCharCode(Number.parseInt(token.slice(1), 16));

const letters: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export const escapings: readonly Escaping[] = [
    { tokens: /%[\da-f]{2}/gi, decode: decodePercent, encode: encodePercent },
    {
        tokens: /%[\da-f]{2}|\+/gi,
        decode: (token) => (token === "+" ? " " : decodePercent(token)),
        encode: encodePercent,
    },
    {
        tokens: /\\u[\da-f]{4}(?:\\u[\da-f]{4})*|\\x[\da-f]{2}|\\[bfnrt"'/\\]/gi,
        decode: (token) => {
            const kind = token.charAt(1);
            if (kind === "u" || kind === "U") {
                const codes = token.slice(2).split(/\\u/i);
                return toBytes(String.fromCharCode(...codes.map((code) => Number.parseInt(code, 16))));
            }
            return /x/i.test(kind) ? decodePercent(token.slice(1)) : (letters[kind] ?? kind);
        },
        encode: (bytes) => toBytes(JSON.stringify(fromBytes(bytes)).slice(1, -1)),
    },
    {
        tokens: /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi,
        decode: (token) => {
            const name = token.slice(1, -1);
            const code = name.startsWith("#") ? Number(name.slice(1).replace(/^x/i, "0x")) : 0;
            return code > 0 && code <= 0x10ffff ? toBytes(String.fromCodePoint(code)) : (entities[name] ?? token);
        },
        encode: (bytes) => bytes.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;"),
    },
];

/** A string without its escapes, and the origin of each byte. */
interface UnescapedText {
    readonly bytes: string;
    /** The start of each byte in the string, and, as an additional element, the end of the last byte. */
    readonly starts: Int32Array;
    readonly isEscaped: (start: number, end: number) => boolean;
}

/** Undefined for a string without escapes. */
export function unescape(text: string, { tokens, decode }: Escaping): UnescapedText | undefined {
    const parts: string[] = [];
    const starts = new Int32Array(text.length + 1);
    const escaped = new Uint8Array(text.length);
    let position = 0;
    let source = 0;
    for (const { 0: token, index } of text.matchAll(tokens)) {
        parts.push(text.slice(source, index));
        for (; source < index; source += 1, position += 1) {
            starts[position] = source;
        }
        const decoded = decode(token);
        parts.push(decoded);
        for (let byte = 0; byte < decoded.length; byte += 1, position += 1) {
            starts[position] = index;
            escaped[position] = 1;
        }
        source = index + token.length;
    }
    if (parts.length === 0) {
        return undefined;
    }
    parts.push(text.slice(source));
    for (; source <= text.length; source += 1, position += 1) {
        starts[position] = source;
    }
    return { bytes: parts.join(""), starts, isEscaped: (start, end) => escaped.subarray(start, end).includes(1) };
}

/** A part of a string that is encoded as a whole, in one of the encodings that match its beginning. */
interface EncodedPart {
    readonly start: number;
    readonly end: number;
    readonly bytes: string;
    readonly encode: (bytes: string) => string;
}

/** Shorter matches encode fewer than four bytes. */
const base64Part = /[A-Za-z\d+/_-]{6,}={0,2}/g;
const wrappedBase64Part = /(?<![A-Za-z\d+/])(?:[A-Za-z\d+/]{32,}\r?\n[ \t]*)+[A-Za-z\d+/]+={0,2}/g;
const hexadecimalPart = /[\da-f]{8,}/gi;
/** As in fingerprints: `4f:2a:…`. */
const separatedHexadecimalPart = /\b[\da-f]{2}(?:([:. -])[\da-f]{2})(?:\1[\da-f]{2}){2,}\b/gi;

export function* encodedParts(text: string): Generator<EncodedPart> {
    for (const { 0: part, index } of text.matchAll(base64Part)) {
        for (const offset of [0, 1, 2, 3]) {
            yield base64At(part, index, offset);
        }
    }
    for (const { 0: part, index } of text.matchAll(wrappedBase64Part)) {
        const [firstLine = "", lineBreak = "\n"] = /^(\S+)(\s+)/.exec(part)?.slice(1) ?? [];
        const lines = new RegExp(`.{1,${firstLine.length}}`, "g");
        for (const offset of [0, 1, 2, 3]) {
            const unwrapped = base64At(part.replace(/\s+/g, ""), index, offset);
            const encode = (bytes: string) => firstLine.slice(0, offset) + unwrapped.encode(bytes);
            const wrap = (encoded: string) => (encoded.match(lines) ?? []).join(lineBreak).slice(offset);
            yield { ...unwrapped, end: index + part.length, encode: (bytes) => wrap(encode(bytes)) };
        }
    }
    for (const { 0: part, index } of text.matchAll(hexadecimalPart)) {
        for (const offset of [0, 1]) {
            yield hexadecimalAt(part, index, offset);
        }
    }
    for (const { 0: part, 1: separator = "", index } of text.matchAll(separatedHexadecimalPart)) {
        const joined = hexadecimalAt(part.replaceAll(separator, ""), index, 0);
        const encode = (bytes: string) => (joined.encode(bytes).match(/../g) ?? []).join(separator);
        yield { ...joined, end: index + part.length, encode };
    }
}

function base64At(part: string, index: number, offset: number): EncodedPart {
    const body = trimTrailing(part, "=").slice(offset);
    const tail = body.length % 4 === 1 ? body.slice(-1) : "";
    const alphabet = /[-_]/.test(part) && !/[+/]/.test(part) ? "base64url" : "base64";
    const isPadded = part.endsWith("=") || (offset === 0 && body.length % 4 === 0 && alphabet === "base64");
    return {
        start: index + offset,
        end: index + part.length,
        bytes: Buffer.from(body.slice(0, body.length - tail.length), "base64").toString("latin1"),
        encode: (bytes) => {
            const encoded = Buffer.from(bytes, "latin1").toString(alphabet);
            return (isPadded ? encoded : trimTrailing(encoded, "=")) + tail;
        },
    };
}

function hexadecimalAt(part: string, index: number, offset: number): EncodedPart {
    const length = Math.floor((part.length - offset) / 2) * 2;
    const isUpperCase = /[A-F]/.test(part);
    return {
        start: index + offset,
        end: index + offset + length,
        bytes: Buffer.from(part.slice(offset, offset + length), "hex").toString("latin1"),
        encode: (bytes) => {
            const encoded = Buffer.from(bytes, "latin1").toString("hex");
            return isUpperCase ? encoded.toUpperCase() : encoded;
        },
    };
}

/** Whether decoded text may contain further encodings. */
export function isReadable(bytes: string): boolean {
    // eslint-disable-next-line no-control-regex
    return !/[\u0000-\u0008\u000e-\u001f]/.test(bytes);
}
