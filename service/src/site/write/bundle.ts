import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, readFileSync, statSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { Gzip } from "fflate";
import { pack, type Pack } from "tar-stream";
import { byCodePoint } from "../read/site-files.js";

export interface BundleInfo {
    readonly sizeBytes: number;
    /** Of the archive, in lower-case hexadecimal. */
    readonly sha256: string;
}

export interface CreateBundleOptions {
    signal?: AbortSignal | undefined;
    /** Called after each file. */
    onProgress?: (progress: { filesDone: number; filesTotal: number }) => void;
}

/** Files up to this size are read at once. */
const wholeBytes = 256 * 1024;

/**
 * Packs a folder into one `tar.gz` whose bytes depend on nothing but the files' names and contents: not on their times,
 * owners or modes, not on the order in which a disk lists them, not on the machine.
 *
 * Streams, so a folder of any size takes little memory. The archive appears under its name only when it is complete;
 * when packing fails or is aborted, nothing is left behind.
 */
export async function createBundle(
    folder: string,
    archivePath: string,
    options: CreateBundleOptions = {},
): Promise<BundleInfo> {
    const { signal } = options;
    const unfinished = `${archivePath}.partial`;
    const tar = pack();
    const hash = createHash("sha256");
    let sizeBytes = 0;
    const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
            hash.update(chunk);
            sizeBytes += chunk.length;
            done(null, chunk);
        },
    });
    try {
        const stages = [tar, portableGzip(), measure, createWriteStream(unfinished)] as const;
        await Promise.all([pipeline(...stages, { signal }), addFiles(tar, folder, options)]);
        await rename(unfinished, archivePath);
    } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
    }
    return { sizeBytes, sha256: hash.digest("hex") };
}

async function addFiles(tar: Pack, folder: string, { signal, onProgress }: CreateBundleOptions): Promise<void> {
    try {
        const names = await listFiles(folder, "");
        for (const [index, name] of names.entries()) {
            signal?.throwIfAborted();
            const path = join(folder, name);
            const { size } = statSync(path);
            const header = { name, size, mode: 0o644, mtime: new Date(0), uid: 0, gid: 0, uname: "", gname: "" };
            await addFile(tar, header, path);
            onProgress?.({ filesDone: index + 1, filesTotal: names.length });
        }
        tar.finalize();
    } catch (error) {
        tar.destroy(error as Error);
        throw error;
    }
}

function addFile(tar: Pack, header: { name: string; size: number }, path: string): Promise<void> {
    return new Promise((resolve, reject) => {
        const done = (error?: Error | null) => (error ? reject(error) : resolve());
        // A stream a file costs more than the file where there are thousands of small ones.
        if (header.size <= wholeBytes) {
            tar.entry(header, readFileSync(path), done);
        } else {
            pipeline(createReadStream(path), tar.entry(header, done)).catch(reject);
        }
    });
}

async function listFiles(folder: string, below: string): Promise<string[]> {
    const entries = await readdir(join(folder, below), { withFileTypes: true });
    const names = await Promise.all(
        entries.map(async (entry) => {
            const name = below === "" ? entry.name : `${below}/${entry.name}`;
            if (entry.isDirectory()) {
                return listFiles(folder, name);
            }
            return entry.isFile() ? [name] : [];
        }),
    );
    return names.flat().sort(byCodePoint);
}

/**
 * Node's own zlib is faster (2.4 times, measured), but its output differs between processors and Node releases.
 * This one is the same JavaScript everywhere, with a header that has no time in it.
 */
function portableGzip(): Transform {
    const gzip = new Gzip({ level: 6, mtime: 0 });
    let output: Uint8Array[] = [];
    gzip.ondata = (chunk) => output.push(chunk);
    const drain = (stream: Readable) => {
        for (const chunk of output) {
            stream.push(chunk);
        }
        output = [];
    };
    return new Transform({
        transform(chunk: Buffer, _encoding, done) {
            gzip.push(chunk);
            drain(this);
            // Others get their turn between two chunks.
            setImmediate().then(() => done(), done);
        },
        flush(done) {
            gzip.push(new Uint8Array(), true);
            drain(this);
            done();
        },
    });
}
