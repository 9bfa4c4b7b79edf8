import { describeOwner } from "@pulumi-static-export/contract/file-owner";
import { tmpdir } from "node:os";
import { dirname, resolve } from "node:path";

const noPermission = "this user has no permission there: choose another place, or change its permissions";

const reasons: Readonly<Record<string, string>> = {
    EACCES: noPermission,
    EPERM: noPermission,
    EROFS: "the file system is read-only: choose another place",
    ENOENT: "there is no such file or folder: check the path",
    ENOTDIR: "a part of the path is a file: choose another place",
    EISDIR: "it is a folder, not a file: name a file",
    EEXIST: "it already exists: choose another name",
    ENOSPC: "the disk is full: free space on it, and try again",
    EDQUOT: "the disk quota is used up: delete files, and try again",
    EMFILE: "too many files are open: raise the limit of open files (ulimit -n)",
    EXDEV: "it is on another file system: choose a place on the same one",
};

/** The remedy for a folder for temporary files that cannot be used, which users rarely choose themselves. */
export const temporaryFolderFix =
    `set ${process.platform === "win32" ? "TEMP" : "TMPDIR"} to the absolute path of a folder that this user ` +
    "can write";

/** Describes an error of the file system in one sentence; undefined for every other error. */
export function describeSystemError(error: unknown): string | undefined {
    const { code = "", syscall, path } = error as NodeJS.ErrnoException;
    const reason = reasons[code];
    if (reason === undefined || syscall === undefined) {
        return undefined;
    }
    const isFull = code === "ENOSPC" || code === "EDQUOT" || code === "EMFILE";
    if (syscall === "mkdtemp" && path !== undefined && resolve(dirname(path)) === resolve(tmpdir()) && !isFull) {
        return `The folder for temporary files, ${tmpdir()}, cannot be used (${code}): ${temporaryFolderFix}.`;
    }
    // A temporary folder means its parent to the user.
    const place = path === undefined ? "A file" : syscall === "mkdtemp" ? dirname(path) : path;
    const owned = reason === noPermission && path !== undefined ? describeOwner(resolve(place)) : undefined;
    const advice = owned === undefined ? reason : `${owned}: change its owner or permissions, or choose another place`;
    return `${place} cannot be used (${code}): ${advice}.`;
}

/** The fault of a Markdown parser, a native module, that is missing or does not fit this machine, and its remedy. */
export function findMissingParser(error: unknown): { fault: string; fix: string } | undefined {
    if (!(error instanceof Error) || !error.message.startsWith("Cannot find native binding.")) {
        return undefined;
    }
    const runtime = process.platform === "win32" ? ", and Microsoft's runtime for Visual C++" : "";
    return {
        fault: `The Markdown parser for ${process.platform} on ${process.arch} cannot be loaded`,
        fix:
            `install the packages on this machine again (npm ci)${runtime}. Packages that were installed on another ` +
            "system or processor do not work here.",
    };
}
