import { gunzipSync, gzipSync } from "node:zlib";
import {
    encodedParts,
    escapings,
    fromBytes,
    isReadable,
    keyForms,
    swapPairs,
    toBytes,
    toUtf16,
    unescape,
} from "./encodings.js";
import { isCopiedAsWord } from "./is-distinctive.js";

/** How deep nested encodings are followed: a Secret in a release of Helm is in Base64, gzip, Base64 and Base64. */
const maxDepth = 4;
const maxUnpackedBytes = 64 * 1024 * 1024;
/**
 * The minimum length of secrets whose encoded copies are searched for: shorter secrets would often match unrelated
 * encoded text.
 */
const minEncodedBytes = 4;

interface Pattern {
    readonly bytes: string;
    readonly secret: string;
    readonly isWord: boolean;
    readonly encode: (text: string) => string;
}

interface Copy {
    readonly start: number;
    readonly end: number;
    readonly replacement: (replacementOf: Replace) => string;
}

/** Returns the replacement for a copy of the secret. */
type Replace = (secret: string) => string;

/**
 * Finds secrets in strings: in plain text and in encodings (URL, JSON, XML, Base64, hexadecimal, UTF-16, gzip), which
 * may be nested. If copies overlap, the first copy counts; of copies that begin at the same position, the longest
 * counts.
 */
export class CopyFinder {
    /** Whether a pattern begins with this byte, or these two bytes. */
    readonly #bytes = new Uint8Array(256);
    readonly #pairs = new Uint8Array(256 * 256);
    /** Patterns by their first three bytes, or fewer if the pattern is shorter; longest first. */
    readonly #patterns = new Map<string, Pattern[]>();
    /** Caches strings that contain no copy, because states repeat many strings. */
    readonly #clean = new Set<string>();

    constructor(secrets: Iterable<string>) {
        for (const secret of secrets) {
            this.#add({ bytes: toBytes(secret), secret, isWord: isCopiedAsWord(secret), encode: toBytes });
            for (const bytes of keyForms(secret)) {
                this.#add({ bytes, secret, isWord: false, encode: toBytes });
            }
            if (secret.length >= minEncodedBytes) {
                for (const encode of [toUtf16, (text: string) => swapPairs(toUtf16(text))]) {
                    this.#add({ bytes: encode(secret), secret, isWord: false, encode });
                }
            }
        }
        for (const patterns of this.#patterns.values()) {
            patterns.sort((one, other) => other.bytes.length - one.bytes.length);
        }
    }

    replace(text: string, replacementOf: Replace): string {
        if (this.#patterns.size === 0 || this.#clean.has(text)) {
            return text;
        }
        const bytes = toBytes(text);
        const copies = this.#find(bytes, 0);
        if (copies.length === 0) {
            this.#clean.add(text);
            return text;
        }
        return fromBytes(replaceCopies(bytes, copies, replacementOf));
    }

    #add(pattern: Pattern): void {
        const [first, second] = [pattern.bytes.charCodeAt(0), pattern.bytes.charCodeAt(1)];
        if (pattern.bytes.length === 1) {
            this.#bytes[first] = 1;
        } else {
            this.#pairs[first * 256 + second] = 1;
        }
        const key = pattern.bytes.slice(0, 3);
        this.#patterns.set(key, [...(this.#patterns.get(key) ?? []), pattern]);
    }

    #find(bytes: string, depth: number): Copy[] {
        const copies = this.#findLiteral(bytes, depth);
        if (depth >= maxDepth) {
            return copies;
        }
        if (bytes.startsWith("\u001f\u008b")) {
            return [...copies, ...this.#findZipped(bytes, depth)];
        }
        return depth === 0 || isReadable(bytes)
            ? [...copies, ...this.#findEscaped(bytes, depth), ...this.#findEncoded(bytes, depth)]
            : copies;
    }

    #findLiteral(bytes: string, depth: number): Copy[] {
        const copies: Copy[] = [];
        for (let start = 0; start < bytes.length;) {
            const pattern = this.#patternAt(bytes, start, depth);
            if (pattern === undefined) {
                start += 1;
                continue;
            }
            const { secret, encode } = pattern;
            const end = start + pattern.bytes.length;
            copies.push({ start, end, replacement: (replacementOf) => encode(replacementOf(secret)) });
            start = end;
        }
        return copies;
    }

    #patternAt(bytes: string, start: number, depth: number): Pattern | undefined {
        const first = bytes.charCodeAt(start);
        const isPair = start + 1 < bytes.length && this.#pairs[first * 256 + bytes.charCodeAt(start + 1)] === 1;
        if (!isPair && this.#bytes[first] !== 1) {
            return undefined;
        }
        const fits = (pattern: Pattern) =>
            bytes.startsWith(pattern.bytes, start) &&
            (depth === 0 || pattern.bytes.length >= minEncodedBytes) &&
            (!pattern.isWord || isWordAt(bytes, start, start + pattern.bytes.length));
        for (const length of [3, 2, 1]) {
            const found = this.#patterns.get(bytes.slice(start, start + length))?.find(fits);
            if (found !== undefined) {
                return found;
            }
        }
        return undefined;
    }

    #findEscaped(bytes: string, depth: number): Copy[] {
        return escapings.flatMap((escaping) => {
            const view = unescape(bytes, escaping);
            const found = view === undefined ? [] : this.#find(view.bytes, depth + 1);
            return found
                .filter(({ start, end }) => view?.isEscaped(start, end) === true)
                .map(({ start, end, replacement }) => ({
                    start: view?.starts[start] ?? 0,
                    end: endInSource(view?.starts ?? new Int32Array(), end),
                    replacement: (replacementOf: Replace) => escaping.encode(replacement(replacementOf)),
                }));
        });
    }

    #findEncoded(bytes: string, depth: number): Copy[] {
        const copies: Copy[] = [];
        for (const part of encodedParts(bytes)) {
            const found = this.#find(part.bytes, depth + 1);
            if (found.length > 0) {
                const replacement = (replacementOf: Replace) =>
                    part.encode(replaceCopies(part.bytes, found, replacementOf));
                copies.push({ start: part.start, end: part.end, replacement });
            }
        }
        return copies;
    }

    #findZipped(bytes: string, depth: number): Copy[] {
        try {
            const packed = Buffer.from(bytes, "latin1");
            const unpacked = gunzipSync(packed, { maxOutputLength: maxUnpackedBytes }).toString("latin1");
            const found = this.#find(unpacked, depth + 1);
            const replacement = (replacementOf: Replace) =>
                gzipSync(Buffer.from(replaceCopies(unpacked, found, replacementOf), "latin1")).toString("latin1");
            return found.length === 0 ? [] : [{ start: 0, end: bytes.length, replacement }];
        } catch {
            return [];
        }
    }
}

function replaceCopies(bytes: string, copies: Copy[], replacementOf: Replace): string {
    const sorted = [...copies].sort((one, other) => one.start - other.start || other.end - one.end);
    let result = "";
    let position = 0;
    for (const { start, end, replacement } of sorted) {
        if (start >= position) {
            result += bytes.slice(position, start) + replacement(replacementOf);
            position = end;
        }
    }
    return result + bytes.slice(position);
}

/** Returns the end of a copy in the source. All bytes of an escaped character come from the same position there. */
function endInSource(starts: Int32Array, end: number): number {
    const last = starts[end - 1] ?? 0;
    let next = end;
    while (starts[next] === last) {
        next += 1;
    }
    return starts[next] ?? 0;
}

function isWordAt(bytes: string, start: number, end: number): boolean {
    return !/[A-Za-z\d]/.test(bytes.charAt(start - 1)) && !/[A-Za-z\d]/.test(bytes.charAt(end));
}
