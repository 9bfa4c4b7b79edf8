import { crc32 } from "node:zlib";

/** The size of a download by a browser. */
export const maxShardBytes = 6000;

/** The average number of lines between terms that always begin a shard. */
const meanLines = 256;

export interface Shard {
    /** Sorts after every key in earlier shards, and not after any key in this one. */
    readonly from: string;
    readonly lines: readonly string[];
}

/**
 * Cuts sorted lines into shards of bounded size. The start of a shard depends on the term there and, at most, on the
 * terms since the last such start: one changed page changes few shards.
 * @param keyOf the sort key of a line
 */
export function cutShards(lines: readonly string[], keyOf: (line: string) => string): Shard[] {
    const shards: Shard[] = [];
    let start = 0;
    let bytes = 0;
    const close = (end: number) => {
        const from = start === 0 ? "" : separator(keyOf(lines[start - 1] as string), keyOf(lines[start] as string));
        shards.push({ from, lines: lines.slice(start, end) });
        start = end;
        bytes = 0;
    };
    for (const [at, line] of lines.entries()) {
        const size = Buffer.byteLength(line) + 1;
        if (at > start && (bytes + size > maxShardBytes || crc32(keyOf(line)) % meanLines === 0)) {
            close(at);
        }
        bytes += size;
    }
    if (start < lines.length) {
        close(lines.length);
    }
    return shards;
}

/** The shortest text that sorts after one term and not after the next. */
function separator(before: string, next: string): string {
    let length = 1;
    while (length < next.length && next.slice(0, length) <= before) {
        length += 1;
    }
    return next.slice(0, length);
}
