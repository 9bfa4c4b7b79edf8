import { dirname } from "node:path";

const reasons: Readonly<Record<string, string>> = {
    EACCES: "this user has no permission there: choose another place, or change its permissions",
    EPERM: "this user has no permission there: choose another place, or change its permissions",
    EROFS: "the file system is read-only: choose another place",
    ENOENT: "there is no such file or folder: check the path",
    ENOTDIR: "a part of the path is a file: choose another place",
    EISDIR: "it is a folder, not a file: name a file",
    EEXIST: "it exists already: choose another name",
    ENOSPC: "the disk is full: make room there, and try again",
    EDQUOT: "the disk quota is used up: make room there, and try again",
    EMFILE: "too many files are open: raise the limit of open files (ulimit -n)",
    EXDEV: "it is on another file system: choose a place on the same one",
};

/** Describes an error of the file system in one sentence; undefined for every other error. */
export function describeSystemError(error: unknown): string | undefined {
    const { code = "", syscall, path } = error as NodeJS.ErrnoException;
    const reason = reasons[code];
    if (reason === undefined || syscall === undefined) {
        return undefined;
    }
    // A temporary folder means its parent to the user.
    const place = path === undefined ? "A file" : syscall === "mkdtemp" ? dirname(path) : path;
    return `${place} cannot be used (${code}): ${reason}.`;
}
