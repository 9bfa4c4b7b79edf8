import { gzipSync } from "node:zlib";
import { type Headers, pack } from "tar-stream";

export type TarEntry = Partial<Headers> & Pick<Headers, "name"> & { content?: string | Buffer };

/** Creates a tar archive with exactly these entries, even if they are harmful. */
export async function createTar(entries: readonly TarEntry[]): Promise<Buffer> {
    const archive = pack();
    for (const { content, ...header } of entries) {
        archive.entry(header, content ?? "");
    }
    archive.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of archive) {
        chunks.push(chunk);
    }
    return Buffer.concat(chunks);
}

export async function createTarGz(entries: readonly TarEntry[]): Promise<Buffer> {
    return gzipSync(await createTar(entries));
}
