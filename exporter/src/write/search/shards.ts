import { crc32 } from "node:zlib";

/** The size of a download by a browser. */
export const maxShardBytes = 6000;

/** The average number of lines between terms that always begin a shard. */
const meanLines = 256;

export interface Shard {
    /** A string that sorts after every key in earlier shards, but not after any key in this shard. */
    readonly from: string;
    readonly lines: readonly string[];
}

/**
 * Cuts sorted lines into shards of bounded size, one at a time, because all lines of a large site take too much memory.
 * A shard begins at a term with a certain checksum, or when the previous shard is full, so a changed page changes few
 * shards.
 * @param keyOf the sort key of a line
 */
export function* cutShards(lines: Iterable<string>, keyOf: (line: string) => string): Generator<Shard> {
    let from = "";
    let inShard: string[] = [];
    let bytes = 0;
    for (const line of lines) {
        const size = Buffer.byteLength(line) + 1;
        const last = inShard.at(-1);
        if (last !== undefined && (bytes + size > maxShardBytes || crc32(keyOf(line)) % meanLines === 0)) {
            yield { from, lines: inShard };
            from = separator(keyOf(last), keyOf(line));
            inShard = [];
            bytes = 0;
        }
        inShard.push(line);
        bytes += size;
    }
    if (inShard.length > 0) {
        yield { from, lines: inShard };
    }
}

/** Returns the shortest string that sorts after `before` but not after `next`. */
function separator(before: string, next: string): string {
    let length = 1;
    while (length < next.length && next.slice(0, length) <= before) {
        length += 1;
    }
    return next.slice(0, length);
}
