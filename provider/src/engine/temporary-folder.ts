import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processEnd } from "./process-end.js";

/** Advice by the error code of the operating system. */
const faults: Readonly<Record<string, string>> = {
    ENOSPC: "is full. Free space on its disk, or set TMPDIR to a folder with more space",
    EDQUOT: "is full for this user. Free space on its disk, or set TMPDIR to a folder with more space",
    ENOENT: "does not exist. Create it, or set TMPDIR to a folder that exists",
    ENOTDIR: "is not a folder. Set TMPDIR to a folder",
    EACCES: "is not writable for this user. Change its permissions, or set TMPDIR to another folder",
    EPERM: "is not writable for this user. Change its permissions, or set TMPDIR to another folder",
    EROFS: "is read-only. Set TMPDIR to a folder that this user can write",
};
const isSpace = (code: string) => code === "ENOSPC" || code === "EDQUOT";

/**
 * Runs `work` with a private folder, which is removed afterwards, even if this process gets a signal meanwhile.
 *
 * @param subject - what needs the folder, for the error when this machine has no place for it
 */
export async function withTemporaryFolder<T>(
    subject: string,
    prefix: string,
    work: (folder: string) => Promise<T>,
): Promise<T> {
    let folder: string;
    try {
        folder = await mkdtemp(join(tmpdir(), prefix));
    } catch (error) {
        throw describeFault(subject, error, () => true);
    }
    const takeBack = processEnd.onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    try {
        return await work(folder);
    } catch (error) {
        throw describeFault(subject, error, isSpace);
    } finally {
        await rm(folder, { recursive: true, force: true });
        takeBack();
    }
}

function describeFault(subject: string, error: unknown, isOfFolder: (code: string) => boolean): unknown {
    // Publishing describes the failures of its own files.
    const failure = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const { code = "", syscall } = (failure ?? {}) as NodeJS.ErrnoException;
    const fault = syscall === undefined || !isOfFolder(code) ? undefined : faults[code];
    return fault === undefined
        ? error
        : new Error(`${subject}: the folder for temporary files, ${tmpdir()}, ${fault} (${code}). Then try again.`, {
              cause: error,
          });
}
