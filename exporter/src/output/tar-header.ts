const blockBytes = 512;

/** Longer names are cut at a slash into two fields, or get a record of their own. */
const nameBytes = 100;
const prefixBytes = 155;
/** Eleven octal digits. */
const largestSize = 8 ** 11 - 1;

/** The header of a file in a tar archive. It depends only on the file's name and size. */
export function tarHeader(name: string, size: number): Buffer {
    const place = placeOf(name);
    if (place !== undefined && size <= largestSize) {
        return block(place, size, "0");
    }
    const records = Buffer.from(
        (place === undefined ? record("path", name) : "") + (size > largestSize ? record("size", String(size)) : ""),
    );
    const extended = block({ name: "PaxHeader", prefix: "" }, records.length, "x");
    const file = block(place ?? { name: "long-name", prefix: "" }, Math.min(size, largestSize), "0");
    return Buffer.concat([extended, records, tarPadding(records.length), file]);
}

/** The padding after a file of this size, up to the next whole block. */
export function tarPadding(size: number): Buffer {
    return zeros.subarray(0, (blockBytes - (size % blockBytes)) % blockBytes);
}

const zeros = Buffer.alloc(blockBytes);

export const tarEnd = Buffer.alloc(2 * blockBytes);

interface NamePlace {
    readonly name: string;
    readonly prefix: string;
}

/** Undefined where the two fields of the old format cannot hold the name. */
function placeOf(name: string): NamePlace | undefined {
    if (!/^[\x20-\x7e]*$/.test(name)) {
        return undefined;
    }
    if (name.length <= nameBytes) {
        return { name, prefix: "" };
    }
    const cut = name.indexOf("/", name.length - nameBytes - 1);
    return cut === -1 || cut > prefixBytes || cut === name.length - 1
        ? undefined
        : { name: name.slice(cut + 1), prefix: name.slice(0, cut) };
}

function block({ name, prefix }: NamePlace, size: number, type: string): Buffer {
    const header = Buffer.alloc(blockBytes);
    header.write(name, 0, "latin1");
    header.write("0000644\0" + "0000000\0" + "0000000\0", 100, "latin1");
    header.write(`${octal(size)}\0${octal(0)}\0        ${type}`, 124, "latin1");
    header.write("ustar\x0000", 257, "latin1");
    header.write("0000000\0" + "0000000\0", 329, "latin1");
    header.write(prefix, 345, "latin1");
    let sum = 0;
    for (let at = 0; at < blockBytes; at += 1) {
        sum += header[at] as number;
    }
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    return header;
}

function octal(value: number): string {
    return value.toString(8).padStart(11, "0");
}

/** A pax record begins with its own length, digits included. */
function record(key: string, value: string): string {
    const rest = ` ${key}=${value}\n`;
    const bytes = Buffer.byteLength(rest);
    let length = bytes + String(bytes).length;
    if (bytes + String(length).length > length) {
        length += 1;
    }
    return `${length}${rest}`;
}
