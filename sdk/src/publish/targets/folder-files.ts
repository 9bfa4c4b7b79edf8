import { lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { trimTrailing } from "@pulumi-static-export/contract";
import { quoteName } from "../../bundle/entry-path.js";
import { PublishError } from "../errors/publish-error.js";

/** The address of a folder, which {@link parseTarget} understands. There, two slashes begin a relative address. */
export function addressOfFolder(folder: string, isWindows = sep === "\\"): string {
    const bare = folder.slice(0, 1) + trimTrailing(folder.slice(1), "\\/");
    const { href } = pathToFileURL(`${bare}/`, { windows: isWindows });
    return href.replace(/^file:\/\/(?=[^/])/, "file:////");
}

/** The same for all names that a disk which ignores case or the form of Unicode letters has as one. */
export const foldName = (path: string) => path.normalize("NFC").toLowerCase();

/**
 * Refuses paths that a disk has as one file, because it ignores case or the form of Unicode letters.
 *
 * @param probe an unused path on the disk of the folder
 * @throws PublishError
 */
export async function refuseSharedNames(root: string, probe: string, paths: Iterable<string>): Promise<void> {
    const known = new Map<string, string>();
    for (const path of paths) {
        const folded = foldName(path);
        const other = known.get(folded);
        known.set(folded, path);
        if (other !== undefined && (await isOneFile(probe, path, other))) {
            throw new PublishError(
                `${root} cannot hold both ${quoteName(other)} and ${quoteName(path)}, because its disk ignores the ` +
                    "case of names: rename one of them, or publish to another place.",
            );
        }
    }
}

async function isOneFile(probe: string, path: string, other: string): Promise<boolean> {
    try {
        for (const each of [path, other]) {
            await mkdir(dirname(join(probe, each)), { recursive: true });
            await writeFile(join(probe, each), "", { flag: "wx" });
        }
        return false;
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") {
            return true;
        }
        throw error;
    } finally {
        await rm(probe, { recursive: true, force: true });
    }
}

/** Returns a function that finds the live path which a disk may not tell from another path. */
export function spellingsOf(paths: readonly string[], live: Iterable<string>): (path: string) => string | undefined {
    const wanted = new Set(paths.map(foldName));
    const found = new Map<string, string>();
    for (const path of live) {
        const folded = foldName(path);
        if (wanted.has(folded)) {
            found.set(folded, path);
        }
    }
    return (path) => found.get(foldName(path));
}

/**
 * Whether a disk that ignores case or the form of Unicode letters has one file by two spellings. Some such disks
 * report a number for each spelling, so the folders have to list both.
 */
export async function areSameFile(root: string, one: string, other: string): Promise<boolean> {
    const [first, second] = await Promise.all(
        [one, other].map((path) => lstat(join(root, path), { bigint: true }).catch(ignoreMissing)),
    );
    if (first === undefined || second === undefined) {
        return false;
    }
    if (first.dev === second.dev && first.ino === second.ino) {
        return true;
    }
    const [names, others] = [one.split("/"), other.split("/")];
    const depth = names.findIndex((name, index) => name !== others[index]);
    const listed = await readdir(join(root, ...names.slice(0, depth)));
    return ![names[depth]!, others[depth]!].every((name) => listed.includes(name));
}

/** Whether a folder is on a disk that ignores the case of names. An empty folder does not show it. */
export async function ignoresCase(root: string): Promise<boolean> {
    const names = await readdir(root);
    const listed = new Set(names);
    for (const name of names) {
        const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
        if (other !== name && !listed.has(other)) {
            return (await lstat(join(root, other)).catch(ignoreMissing)) !== undefined;
        }
    }
    return false;
}

/** Returns the size of a file, and its two times, which nearly every write changes. */
export async function statFile(path: string): Promise<{ sizeBytes: number; tag: string } | undefined> {
    const found = await lstat(path, { bigint: true }).catch(ignoreMissing);
    return found && { sizeBytes: Number(found.size), tag: `${found.mtimeNs} ${found.ctimeNs} ${found.size}` };
}

export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
    if (!["ENOENT", "ENOTDIR"].includes(error.code ?? "")) {
        throw error;
    }
}
