import type { DownloadedArchive } from "@pulumi-static-export/sdk";
import type { Storage } from "./storage/storage.js";

/**
 * The digest is stored in a second object, `<key>.sha256`, in the format of `sha256sum`. The metadata of that object
 * contains the ETag of the archive.
 */
const noteKey = (key: string) => `${key}.sha256`;

/** The size and digest of the copy; undefined without a complete copy and its note. */
export async function readNote(storage: Storage, key: string): Promise<DownloadedArchive | undefined> {
    const [object, note] = await Promise.all([storage.find(key), storage.readText(noteKey(key))]);
    const sha256 = /^[0-9a-f]{64}/.exec(note?.text ?? "")?.[0];
    if (object === undefined || note === undefined || sha256 === undefined) {
        return undefined;
    }
    const { etag, "size-bytes": sizeBytes } = note.metadata;
    return etag === plain(object.etag) && Number(sizeBytes) === object.sizeBytes
        ? { sha256, sizeBytes: object.sizeBytes }
        : undefined;
}

/** Records that the current copy is complete. */
export async function writeNote(
    storage: Storage,
    key: string,
    { sha256, sizeBytes }: DownloadedArchive,
): Promise<void> {
    const object = await storage.find(key);
    if (object?.sizeBytes !== sizeBytes) {
        throw new Error(`The storage has ${object?.sizeBytes ?? "no"} bytes at ${key}, but ${sizeBytes} were sent.`);
    }
    const fileName = key.slice(key.lastIndexOf("/") + 1);
    const metadata = { etag: plain(object.etag), "size-bytes": String(sizeBytes) };
    await storage.writeText(noteKey(key), `${sha256}  ${fileName}\n`, metadata);
}

/** Removes the note first: a copy without a note counts as incomplete. */
export async function removeObject(storage: Storage, key: string): Promise<void> {
    await storage.remove(noteKey(key));
    await storage.remove(key);
}

/** ETags are quoted, and some storage services do not preserve quotes in metadata. */
function plain(etag: string): string {
    return etag.replaceAll('"', "");
}
