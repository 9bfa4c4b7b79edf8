import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ownFolder } from "../records/site-record.js";
import { ignoresCase, statFile } from "./folder-files.js";
import type { ReleaseLink } from "./release-link.js";
import type { ListedFile, WantedPaths } from "./site-target.js";

/** A version of a record. */
export const recordFile = /^record-(\d{12})\.json$/;

/** A folder's name on the disk, and its names in the site. */
interface Folder {
    readonly name: string;
    readonly spellings: readonly string[];
}

/**
 * Lists the files of a folder: all, or only the wanted ones, with the records of their folders and files that have the
 * name of a wanted folder.
 *
 * @param link - the link to the live release, which is left out
 */
export async function* listFolder(
    root: string,
    link: ReleaseLink,
    signal: AbortSignal,
    wanted: WantedPaths | undefined,
): AsyncGenerator<ListedFile> {
    const isCaseless = wanted !== undefined && (await ignoresCase(root));
    const spell = (path: string) => (isCaseless ? wanted.spellingsOf(path) : [path]);
    const folders: Folder[] = [{ name: "", spellings: [""] }];
    for (let parent = folders.pop(); parent !== undefined; parent = folders.pop()) {
        signal.throwIfAborted();
        for (const entry of await readdir(join(root, parent.name), { withFileTypes: true })) {
            const name = parent.name + entry.name;
            if (entry.isDirectory()) {
                const isPlace = parent.name !== "" && `${entry.name}/` === ownFolder;
                const spellings = isPlace ? parent.spellings.map((each) => each + ownFolder) : spell(`${name}/`);
                if (isPlace || wanted === undefined || spellings.some((each) => wanted.hasBelow(each))) {
                    folders.push({ name: `${name}/`, spellings });
                }
            } else if (!(entry.isSymbolicLink() && (await link.isAt(name)))) {
                const paths = pathsOf(entry, parent, wanted, spell);
                const found = paths.length === 0 ? undefined : await statFile(join(root, name));
                for (const path of found === undefined ? [] : paths) {
                    yield { path, ...found!, aliases: paths };
                }
            }
        }
    }
}

/** Returns the paths under which a file is listed. */
function pathsOf(
    entry: Dirent,
    { name, spellings }: Folder,
    wanted: WantedPaths | undefined,
    spell: (path: string) => readonly string[],
): readonly string[] {
    if (recordFile.test(entry.name) && name.endsWith(`/${ownFolder}`)) {
        return spellings.map((each) => each + entry.name);
    }
    const isListed = (path: string) =>
        wanted === undefined || wanted.has(path) || (entry.isFile() && wanted.hasBelow(`${path}/`));
    return spell(name + entry.name).filter(isListed);
}
