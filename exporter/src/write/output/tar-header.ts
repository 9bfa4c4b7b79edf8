const blockBytes = 512;

/** The sizes of the fields for a file's name and for its folders. */
const [nameBytes, prefixBytes] = [100, 155];

/** Type flags. */
const [file, extended] = ["0", "x"];

/** The bytes before a file's content in a tar archive. Owners are not stored, and all files have the same mode. */
export function tarHeader(name: string, sizeBytes: number, mtimeSeconds: number): Buffer {
    const split = splitName(name);
    if (split !== undefined) {
        return header({ ...split, sizeBytes, mtimeSeconds, type: file });
    }
    const record = Buffer.from(paxRecord("path", name));
    const shared = { name: "PaxHeader", prefix: "", mtimeSeconds };
    return Buffer.concat([
        header({ ...shared, sizeBytes: record.length, type: extended }),
        record,
        tarPadding(record.length),
        header({ ...shared, sizeBytes, type: file }),
    ]);
}

/** The bytes after a file's content. */
export function tarPadding(sizeBytes: number): Buffer {
    return Buffer.alloc((blockBytes - (sizeBytes % blockBytes)) % blockBytes);
}

/** The end of an archive. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes);

/** Splits a name for the two fields of a header; undefined for a name that needs an extended header. */
function splitName(name: string): { name: string; prefix: string } | undefined {
    if (Buffer.byteLength(name) !== name.length) {
        return undefined;
    }
    // The position of the first slash after which the name has at most this length.
    const slash = name.length <= nameBytes ? -1 : name.indexOf("/", name.length - nameBytes - 1);
    const split = { name: name.slice(slash + 1), prefix: name.slice(0, Math.max(slash, 0)) };
    return split.name.length > nameBytes || split.prefix.length > prefixBytes ? undefined : split;
}

function header(fields: { name: string; prefix: string; sizeBytes: number; mtimeSeconds: number; type: string }) {
    const bytes = Buffer.alloc(blockBytes);
    bytes.write(fields.name, 0);
    bytes.write(octal(0o644, 6), 100);
    bytes.write(octal(0, 6), 108);
    bytes.write(octal(0, 6), 116);
    bytes.write(octal(fields.sizeBytes, 11), 124);
    bytes.write(octal(fields.mtimeSeconds, 11), 136);
    bytes.write(fields.type, 156);
    bytes.write("ustar\x0000", 257);
    bytes.write(octal(0, 6), 329);
    bytes.write(octal(0, 6), 337);
    bytes.write(fields.prefix, 345);
    // The checksum is computed with spaces in the checksum field of the header.
    bytes.fill(" ", 148, 156);
    let sum = 0;
    for (const byte of bytes) {
        sum += byte;
    }
    bytes.write(`${octal(sum, 6)}\x00`, 148);
    return bytes;
}

function octal(value: number, digits: number): string {
    return `${value.toString(8).padStart(digits, "0")} `;
}

/** A record begins with its length, which counts its own digits. */
function paxRecord(key: string, value: string): string {
    const text = ` ${key}=${value}\n`;
    const bytes = Buffer.byteLength(text);
    const digits = String(bytes + String(bytes).length).length;
    return `${bytes + digits}${text}`;
}
