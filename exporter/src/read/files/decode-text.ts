import { isUtf8 } from "node:buffer";

/**
 * Decodes a text file of a site: UTF-8, or UTF-16 with a byte order mark or with a zero byte in its first character.
 * Removes the mark, ends all lines with `\n`, and replaces zero bytes as CommonMark does.
 */
export function decodeText(bytes: Buffer): string {
    const encoding = utf16Of(bytes);
    const text =
        encoding === "big endian"
            ? Buffer.from(bytes.subarray(0, bytes.length & ~1))
                  .swap16()
                  .toString("utf16le")
            : bytes.toString(encoding === undefined ? "utf8" : "utf16le");
    const marked = text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
    const unmarked = marked.startsWith("\uFEFF") ? marked.slice(1) : marked;
    // Some editors and repositories write two carriage returns.
    return unmarked.includes("\r")
        ? unmarked.replace(/\r+\n?/g, (end) => (end.endsWith("\n") ? "\n" : "\n".repeat(end.length)))
        : unmarked;
}

/** Whether `decodeText` finds the characters that the author wrote. */
export function isDecodable(bytes: Buffer): boolean {
    return utf16Of(bytes) !== undefined || isUtf8(bytes);
}

function utf16Of(bytes: Buffer): "little endian" | "big endian" | undefined {
    const first = bytes[0];
    const second = bytes[1];
    if (first === undefined || second === undefined) {
        return undefined;
    }
    if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) {
        return "little endian";
    }
    return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? "big endian" : undefined;
}
