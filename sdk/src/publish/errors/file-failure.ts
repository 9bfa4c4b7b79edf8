import { PublishError } from "./publish-error.js";
import { again } from "./storage-error.js";

const adviceByCode: Readonly<Record<string, string>> = {
    EACCES: "Allow this user to read the site and to write to the folder.",
    EPERM: "Allow this user to read the site and to write to the folder.",
    EROFS: "Mount the disk for writing.",
    ENOSPC: "Free space on the disk.",
    EDQUOT: "Free space on the disk.",
    ENAMETOOLONG: "Choose shorter names of pages, or a folder with a shorter path.",
    ENOENT: "A file has been removed, or its name is not valid UTF-8: restore or rename it.",
};

/** Whether the operating system could not read or write a file. */
export function isFileFailure(error: unknown): error is NodeJS.ErrnoException {
    const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
    return typeof code === "string" && typeof syscall === "string";
}

/** A file of the site, or of the folder that the site is published to, could not be read or written. */
export class FileFailure extends PublishError {
    override readonly name = "FileFailure";

    constructor({ code = "", message }: NodeJS.ErrnoException) {
        const advice = adviceByCode[code];
        super(`${message.replace(/\p{C}/gu, "?")}. ${advice === undefined ? "" : `${advice} `}${again}`);
    }
}
