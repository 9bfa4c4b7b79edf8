import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";

export type TarEntry = Partial<Header> & Pick<Header, "name"> & { content?: string | Buffer };

/** A tar archive of these entries, as they are, however evil. */
export async function createTar(entries: readonly TarEntry[]): Promise<Buffer> {
    const archive = pack();
    for (const { content, ...header } of entries) {
        archive.entry(header, content ?? "");
    }
    archive.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of archive) {
        chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
}

export async function createTarGz(entries: readonly TarEntry[]): Promise<Buffer> {
    return gzipSync(await createTar(entries));
}

export interface ZipEntry {
    name: string;
    content?: string | Buffer;
    /** Unix mode, type bits included. */
    mode?: number;
    /** General purpose bits; bit 0 is "encrypted". */
    flags?: number;
    /** Instead of the right one. */
    checksum?: number;
}

/** A zip archive of these entries, as they are, however evil (APPNOTE.TXT 4.3). */
export function createZip(entries: readonly ZipEntry[]): Buffer {
    const locals: Buffer[] = [];
    const centrals: Buffer[] = [];
    let offset = 0;
    for (const { name, content = "", mode = 0o100644, flags = 0, checksum } of entries) {
        const data = Buffer.from(content);
        const deflated = deflateRawSync(data);
        const nameBytes = Buffer.from(name);
        const common = Buffer.alloc(26);
        common.writeUInt16LE(20, 0);
        common.writeUInt16LE(flags | 0x800, 2);
        common.writeUInt16LE(8, 4);
        common.writeUInt32LE(checksum ?? crc32(data), 10);
        common.writeUInt32LE(deflated.length, 14);
        common.writeUInt32LE(data.length, 18);
        common.writeUInt16LE(nameBytes.length, 22);
        const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, nameBytes, deflated]);
        const rest = Buffer.alloc(14);
        rest.writeUInt32LE((mode << 16) >>> 0, 6);
        rest.writeUInt32LE(offset, 10);
        centrals.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), common, rest, nameBytes]));
        locals.push(local);
        offset += local.length;
    }
    const directory = Buffer.concat(centrals);
    const end = Buffer.alloc(18);
    end.writeUInt16LE(entries.length, 4);
    end.writeUInt16LE(entries.length, 6);
    end.writeUInt32LE(directory.length, 8);
    end.writeUInt32LE(offset, 12);
    return Buffer.concat([...locals, directory, Buffer.from("PK\x05\x06"), end]);
}
