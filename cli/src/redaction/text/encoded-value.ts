import { gunzipSync, gzipSync } from "node:zlib";
import { decodeBase64Text } from "../placeholders/shapes.js";
import { type TextValue } from "./text-value.js";

const maxUnpackedBytes = 64 * 1024 * 1024;
/** Digests and signatures are not longer. */
const maxDigestBytes = 64;
const gzipInBase64 = "H4sI";

/** The text that a Base64 text encodes, possibly compressed; "unreadable" if it encodes anything else. */
export function encodedValue(text: string): TextValue | "unreadable" | undefined {
    const packed = text.replace(/\s+/g, "");
    if (packed.length < 8 || packed.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(packed)) {
        return undefined;
    }
    const valueOf = (decoded: string, pack: (text: string) => Buffer): TextValue => ({
        ...{ start: 0, end: text.length, name: "", text: decoded, isSecret: false },
        encode: (changed) => pack(changed).toString("base64"),
    });
    const decoded = decodeBase64Text(packed);
    if (decoded !== undefined) {
        return valueOf(decoded, (changed) => Buffer.from(changed));
    }
    const bytes = Buffer.from(packed, "base64");
    if (packed.startsWith(gzipInBase64)) {
        try {
            const unpacked = gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes }).toString("utf8");
            return unpacked.includes("\ufffd") || unpacked.includes("\0")
                ? "unreadable"
                : valueOf(unpacked, (changed) => gzipSync(changed));
        } catch {
            return "unreadable";
        }
    }
    return bytes.length > maxDigestBytes ? "unreadable" : undefined;
}
