import type { Measure } from "./measured.js";
import type { Storage } from "./storage/storage.js";

/**
 * The digest is known only when the last byte has gone, too late for the object's own metadata. So a note lies beside
 * it, `<key>.sha256`, in the format of `sha256sum`; it names the object's ETag, and so vouches for this content only.
 */
const noteKey = (key: string) => `${key}.sha256`;

/** What the copy measures, when a complete one with its note is there; undefined when it has to be made. */
export async function readNote(storage: Storage, key: string): Promise<Measure | undefined> {
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

/** Vouches for the copy as it is now. */
export async function writeNote(storage: Storage, key: string, { sha256, sizeBytes }: Measure): Promise<void> {
    const object = await storage.find(key);
    if (object?.sizeBytes !== sizeBytes) {
        throw new Error(`The storage holds ${object?.sizeBytes ?? "no"} bytes at ${key}, but was sent ${sizeBytes}.`);
    }
    const fileName = key.slice(key.lastIndexOf("/") + 1);
    const metadata = { etag: plain(object.etag), "size-bytes": String(sizeBytes) };
    await storage.writeText(noteKey(key), `${sha256}  ${fileName}\n`, metadata);
}

/** The note first: a copy without one is not taken for complete. */
export async function removeObject(storage: Storage, key: string): Promise<void> {
    await storage.remove(noteKey(key));
    await storage.remove(key);
}

/** ETags come in quotes, which do not survive as metadata everywhere. */
function plain(etag: string): string {
    return etag.replaceAll('"', "");
}
