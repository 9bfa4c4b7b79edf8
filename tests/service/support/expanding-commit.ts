import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

/** The maximum number of bytes that one instruction of a delta copies. */
const chunkBytes = 0xffffff;

interface PackedObject {
    /** 1: commit, 2: tree, 3: blob, 7: a delta of the object that `base` names. */
    type: 1 | 2 | 3 | 7;
    sha: string;
    size: number;
    base?: string;
    content: Buffer;
}

/**
 * Adds a branch to a repository with one commit that has a few kilobytes in git's pack, but contains a file of `chunks`
 * times 16 MB: a delta that copies the same bytes repeatedly.
 *
 * @see https://git-scm.com/docs/pack-format
 */
export async function addExpandingCommit(gitDir: string, branch: string, chunks: number): Promise<void> {
    const base = objectOf("blob", Buffer.alloc(chunkBytes));
    const file = createHash("sha1").update(`blob ${chunks * chunkBytes}\0`);
    for (let chunk = 0; chunk < chunks; chunk += 1) {
        file.update(Buffer.alloc(chunkBytes));
    }
    // Each instruction copies the whole base: offset 0, and three bytes for the size.
    const copies = Buffer.concat(Array.from({ length: chunks }, () => Buffer.from([0xf0, 0xff, 0xff, 0xff])));
    const delta = Buffer.concat([sizeOf(chunkBytes), sizeOf(chunks * chunkBytes), copies]);
    const expanding = { type: 7, sha: file.digest("hex"), size: delta.length, base: base.sha, content: delta } as const;
    const tree = objectOf(
        "tree",
        Buffer.concat(
            [
                ["base.bin", base.sha],
                ["index.md", expanding.sha],
            ].flatMap(([name, sha = ""]) => [Buffer.from(`100644 ${name}\0`), Buffer.from(sha, "hex")]),
        ),
    );
    const author = "a <a@example.com> 1700000000 +0000";
    const commit = objectOf("commit", Buffer.from(`tree ${tree.sha}\nauthor ${author}\ncommitter ${author}\n\nGrow\n`));
    await writePack(join(gitDir, "objects", "pack"), [commit, tree, base, expanding]);
    await mkdir(join(gitDir, "refs", "heads"), { recursive: true });
    await writeFile(join(gitDir, "refs", "heads", branch), `${commit.sha}\n`);
}

function objectOf(kind: "blob" | "commit" | "tree", content: Buffer): PackedObject {
    const sha = createHash("sha1").update(`${kind} ${content.length}\0`).update(content).digest("hex");
    return { type: ({ commit: 1, tree: 2, blob: 3 } as const)[kind], sha, size: content.length, content };
}

async function writePack(folder: string, objects: readonly PackedObject[]): Promise<void> {
    const header = Buffer.concat([Buffer.from("PACK"), uint32(2), uint32(objects.length)]);
    const packed = objects.map(({ type, size, base = "", content }) =>
        Buffer.concat([entryHead(type, size), Buffer.from(base, "hex"), deflateSync(content)]),
    );
    const body = Buffer.concat([header, ...packed]);
    const checksum = createHash("sha1").update(body).digest();
    let offset = header.length;
    const entries = objects.map(({ sha }, place) => {
        const entry = { sha, offset, crc: crc32(packed[place] as Buffer) };
        offset += packed[place]?.length ?? 0;
        return entry;
    });
    entries.sort((one, other) => (one.sha < other.sha ? -1 : 1));
    const fanOut = Array.from({ length: 256 }, (_, first) =>
        uint32(entries.filter(({ sha }) => Number.parseInt(sha.slice(0, 2), 16) <= first).length),
    );
    const index = Buffer.concat([
        Buffer.from([0xff, 0x74, 0x4f, 0x63]),
        uint32(2),
        ...fanOut,
        ...entries.map(({ sha }) => Buffer.from(sha, "hex")),
        ...entries.map(({ crc }) => uint32(crc)),
        ...entries.map((entry) => uint32(entry.offset)),
        checksum,
    ]);
    const path = join(folder, `pack-${checksum.toString("hex")}`);
    await mkdir(folder, { recursive: true });
    await writeFile(`${path}.pack`, Buffer.concat([body, checksum]));
    await writeFile(`${path}.idx`, Buffer.concat([index, createHash("sha1").update(index).digest()]));
}

function uint32(value: number): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
}

/** Encodes the type and the size of an entry: four bits of the size in the first byte, seven in each following byte. */
function entryHead(type: number, size: number): Buffer {
    const rest = Math.floor(size / 16);
    const first = type * 16 + (size % 16);
    return rest === 0 ? Buffer.from([first]) : Buffer.concat([Buffer.from([first + 128]), sizeOf(rest)]);
}

/** Encodes a size with seven bits in each byte, the lowest bits first. */
function sizeOf(value: number): Buffer {
    const bytes: number[] = [];
    let left = value;
    for (; left >= 128; left = Math.floor(left / 128)) {
        bytes.push((left % 128) + 128);
    }
    return Buffer.from([...bytes, left]);
}
