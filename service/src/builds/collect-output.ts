import { constants } from "node:fs";
import { copyFile, link, lstat, mkdir, opendir, realpath, stat, unlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { isWithin } from "@pulumi-static-export/exporter";
import { describeMegabytes } from "../processes/disk-watch.js";

/** Files of a finished site; hosts accept fewer. */
export const maxFiles = 200_000;

/** Links that the log names. */
const maxNamedLinks = 5;

/**
 * Collects the output of a build, in the same way wherever the build ran: files and folders replace the links to them,
 * because not every way of sending a site keeps links. Links that lead out of the output are removed.
 *
 * Checks the size before the files are read: files with holes take no disk, but an export reads them as a whole.
 * @param folder a path without links @param onLine gets the links that were removed
 * @throws an error that says which limit the output exceeds
 */
export async function collectOutput(
    folder: string,
    limits: { readonly maxBytes: number; readonly maxFiles: number },
    onLine: (line: string) => void,
): Promise<void> {
    let [files, bytes] = [0, 0];
    const removed: string[] = [];

    /** @param place where the content of the folder belongs @param around the real folders that contain it */
    const settle = async (from: string, place: string, around: readonly string[]): Promise<void> => {
        // Read first: the loop changes folders.
        const names: string[] = [];
        for await (const entry of await opendir(from)) {
            files += 1;
            if (files > limits.maxFiles) {
                throw new Error(
                    `The build wrote more than ${limits.maxFiles} files, which is the most that a site may have.`,
                );
            }
            names.push(entry.name);
        }
        for (const name of names) {
            const [path, wanted] = [join(from, name), join(place, name)];
            const isLink = (await lstat(path).catch(misnamed(relative(folder, wanted)))).isSymbolicLink();
            const target = isLink ? await realpath(path).catch(() => undefined) : path;
            const found = target === undefined ? undefined : await stat(target);
            const isInside = target !== undefined && isWithin(folder, target) && !around.includes(target);
            if (isLink && path === wanted) {
                await unlink(path);
            }
            if (isLink && (!isInside || found?.isDirectory() === found?.isFile())) {
                removed.push(relative(folder, wanted));
            } else if (target !== undefined && found?.isDirectory() === true) {
                if (target !== wanted) {
                    await mkdir(wanted);
                }
                await settle(target, wanted, [...around, target]);
            } else if (target !== undefined && found !== undefined) {
                bytes += found.isFile() ? found.size : 0;
                if (bytes > limits.maxBytes) {
                    const size = describeMegabytes(limits.maxBytes);
                    throw new Error(
                        `The build wrote more than ${size} of files: raise build.diskMegabytes in the sites file.`,
                    );
                }
                if (target !== wanted && found.isFile()) {
                    await link(target, wanted).catch(() => copyFile(target, wanted, constants.COPYFILE_EXCL));
                }
            }
        }
    };
    await settle(folder, folder, [folder]);
    if (removed.length > 0) {
        const more = removed.length > maxNamedLinks ? ", …" : "";
        onLine(
            `Left out ${removed.length} links that lead out of the output folder, or nowhere: ` +
                `${removed
                    .slice(0, maxNamedLinks)
                    .map((name) => JSON.stringify(name))
                    .join(", ")}${more}`,
        );
    }
}

/** Explains why a file that was just listed is not found: its name was changed to valid UTF-8. */
export function misnamed(name: string): (error: unknown) => never {
    return (error) => {
        throw name.includes("\uFFFD")
            ? new Error(`The name of ${JSON.stringify(name)} is not valid UTF-8: rename the file.`, { cause: error })
            : error;
    };
}
