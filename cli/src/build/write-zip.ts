import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { Zip, ZipDeflate } from "fflate";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { PassThrough } from "node:stream";
import { UsageError } from "../command-line/usage-error.js";

/** Larger archives need a format that many programs cannot open. */
const maxFiles = 65_535;
const maxBytes = 4 * 1024 ** 3 - 1;

/** The earliest day that the format supports. The day is fixed, so that the same site always has the same bytes. */
const mtime = new Date(1980, 0, 1);

/**
 * Packs a folder into a zip archive, below a folder that has the archive's name. Only one file is in memory at a time.
 * The archive appears complete or not at all.
 *
 * @param name of the folder in the archive
 * @throws UsageError for more files or bytes than the format supports
 */
export async function writeZip(folder: string, archive: string, name: string, signal: AbortSignal): Promise<void> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    if (files.length > maxFiles) {
        throw new UsageError(
            `The site has ${files.length} files, but a zip archive can contain only ${maxFiles}: leave out --zip, ` +
                "and pack the folder of --output with tar.",
        );
    }
    const unfinished = `${archive}.partial`;
    const bytes = new PassThrough();
    const written = pipeline(bytes, createWriteStream(unfinished));
    // The code that awaits `written` handles the error.
    written.catch(() => undefined);
    try {
        const zip = new Zip((error, chunk, isLast) => {
            if (error !== null) {
                bytes.destroy(error);
            } else {
                bytes.write(chunk);
            }
            if (isLast) {
                bytes.end();
            }
        });
        let total = 0;
        for (const file of files.sort()) {
            signal.throwIfAborted();
            const content = await readFile(file);
            total += content.length;
            if (total > maxBytes) {
                throw new UsageError(
                    "The site is larger than 4 GiB, which is too large for a zip archive: leave out --zip.",
                );
            }
            const path = file.slice(folder.length + 1).replaceAll("\\", "/");
            const entry = new ZipDeflate(`${name}/${path}`, { level: 6 });
            entry.mtime = mtime;
            zip.add(entry);
            entry.push(content, true);
            if (bytes.writableNeedDrain) {
                await Promise.race([once(bytes, "drain", { signal }), written]);
            }
        }
        zip.end();
        await written;
        await replaceFile(unfinished, archive);
    } finally {
        bytes.destroy();
        await written.catch(() => undefined);
        await rm(unfinished, { force: true });
    }
}
