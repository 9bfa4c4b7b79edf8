import { constants } from "node:fs";
import { copyFile, link, lstat, readFile, rename } from "node:fs/promises";
import { repeat } from "../time/repeat.js";

interface WaitOptions {
    readonly platform?: NodeJS.Platform;
    readonly sleep?: (ms: number) => Promise<unknown>;
}

export interface ReplaceOptions extends WaitOptions {
    readonly rename?: (from: string, to: string) => Promise<void>;
}

/** The errors of Windows while another program, such as a web server or a virus scanner, has a file open. */
const openElsewhere: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);
const firstDelayMs = 10;
const maxDelayMs = 500;

/**
 * Moves a file or folder to its place, where it may replace another file. Windows refuses that while the file is open,
 * so there this waits up to ten seconds for it to be closed. Windows never replaces a folder, so this does not wait.
 */
export function replaceFile(
    from: string,
    to: string,
    { rename: move = rename, ...options }: ReplaceOptions = {},
): Promise<void> {
    return whileOpenElsewhere(
        () => move(from, to),
        25,
        options,
        () => isFolder(to),
    );
}

interface ReadOptions extends WaitOptions {
    readonly read?: (file: string) => Promise<string>;
}

/**
 * Reads a text that other processes replace. Windows may refuse that while one of them, or a virus scanner, has the
 * file open, so there this waits up to a second.
 */
export function readReplacedFile(
    file: string,
    { read = (path) => readFile(path, "utf8"), ...options }: ReadOptions = {},
): Promise<string> {
    return whileOpenElsewhere(() => read(file), 8, options);
}

function whileOpenElsewhere<T>(
    act: () => Promise<T>,
    maxTries: number,
    { platform = process.platform, sleep }: WaitOptions,
    isFinal: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<T> {
    return repeat(act, {
        sleep,
        delayMs: async (error, tries) => {
            const { code } = error as NodeJS.ErrnoException;
            return platform !== "win32" || tries === maxTries || !openElsewhere.has(code) || (await isFinal())
                ? undefined
                : Math.min(maxDelayMs, firstDelayMs * 2 ** (tries - 1));
        },
    });
}

async function isFolder(path: string): Promise<boolean> {
    return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

export interface AddNameOptions {
    readonly link?: typeof link;
}

/** The errors of a disk without hard links: exFAT, and many network and FUSE file systems. EISDIR is from Windows. */
const withoutLinks: ReadonlySet<string | undefined> = new Set([
    "EPERM",
    "ENOTSUP",
    "EOPNOTSUPP",
    "ENOSYS",
    "EMLINK",
    "EISDIR",
]);

/**
 * Gives a finished file a second name if no file has this name. Of several concurrent processes, exactly one gets true,
 * also on network file systems. A disk without hard links gets a copy: until its end is written, other processes read a
 * part.
 */
export async function addName(
    file: string,
    name: string,
    { link: create = link }: AddNameOptions = {},
): Promise<boolean> {
    try {
        try {
            await create(file, name);
        } catch (error) {
            if (!withoutLinks.has((error as NodeJS.ErrnoException).code)) {
                throw error;
            }
            await copyFile(file, name, constants.COPYFILE_EXCL);
        }
        return true;
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") {
            return false;
        }
        throw error;
    }
}
