import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";

/** Reads the files of an npm package's archive, by their path in the package. */
export async function unpackTarball(file: string): Promise<Map<string, Buffer>> {
    const files = new Map<string, Buffer>();
    const entries = extract();
    entries.on("entry", ({ name }, content, next) => {
        buffer(content).then((bytes) => {
            files.set(name.replace(/^package\//, ""), bytes);
            next();
        }, next);
    });
    await pipeline(createReadStream(file), createGunzip(), entries);
    return files;
}
