import { execFile } from "node:child_process";
import { lstat, opendir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { asOwner, type ProgramUser } from "./program-user.js";
import { sayReached } from "../shared/reached-limit.js";

/**
 * The run ends after this many incomplete measurements in a row: a program may make a folder unreadable only for a
 * moment.
 */
const maxUnreadableMeasurements = 3;

/** Files that are measured at the same time. */
const atOnce = 64;

/** Repeatedly measures the disk usage of a run. */
export class DiskWatch {
    readonly #folder: string;
    readonly #maxBytes: number;
    readonly #maxFiles: number;
    readonly #user: ProgramUser | undefined;
    #unreadableMeasurements = 0;

    /** @param options.user the owner of the files, if it is not this process's user */
    constructor(
        folder: string,
        maxBytes: number,
        { maxFiles = Infinity, user }: { maxFiles?: number; user?: ProgramUser | undefined } = {},
    ) {
        this.#folder = folder;
        this.#maxBytes = maxBytes;
        this.#maxFiles = maxFiles;
        this.#user = user;
    }

    /**
     * The reason to end the run, if its disk usage exceeds the limit.
     * @param deletedBytes the size of deleted files that the run has open
     */
    async findExcess(deletedBytes = 0): Promise<string | undefined> {
        const { bytes, files, isComplete } = await (this.#user?.isSubordinate === true
            ? folderSizeForOwner(this.#folder)
            : folderSize(this.#folder, this.#maxFiles));
        const limits = { bytes: this.#maxBytes, files: this.#maxFiles };
        const excess = findDiskExcess({ bytes: bytes + deletedBytes, files }, limits);
        this.#unreadableMeasurements = isComplete ? 0 : this.#unreadableMeasurements + 1;
        return excess === undefined && this.#unreadableMeasurements >= maxUnreadableMeasurements
            ? "made a folder unreadable, so that its disk usage could not be measured"
            : excess;
    }
}

/** Files and their size, as a run has them, or as its limits. */
export interface DiskLimits {
    readonly bytes: number;
    readonly files: number;
}

/** The reason to end a run that uses more than its limits. */
export function findDiskExcess(used: DiskLimits, { bytes, files }: DiskLimits): string | undefined {
    return used.files > files
        ? sayReached("files", files)
        : used.bytes > bytes
          ? sayReached("disk", describeMegabytes(bytes))
          : undefined;
}

/** Describes a limit in the unit of the settings. */
export function describeMegabytes(bytes: number): string {
    return `${Number((bytes / 2 ** 20).toFixed(1))} MB`;
}

/**
 * The disk usage of a folder in bytes; ignores files that disappear meanwhile.
 * @param maxFiles after more files, the measurement ends
 */
export async function folderSize(
    folder: string,
    maxFiles = Infinity,
): Promise<{ bytes: number; files: number; isComplete: boolean }> {
    let bytes = 0;
    let files = 0;
    let isComplete = true;
    const add = (error: unknown): void => {
        isComplete &&= ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
    };
    const addSize = async (path: string): Promise<void> => {
        try {
            const { blocks } = await lstat(path);
            bytes += blocks * 512;
        } catch (error) {
            add(error);
        }
    };
    const folders = [folder];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
        try {
            let batch: Promise<void>[] = [];
            for await (const entry of await opendir(next)) {
                const path = join(next, entry.name);
                files += 1;
                if (files > maxFiles) {
                    break;
                }
                if (entry.isDirectory()) {
                    folders.push(path);
                }
                batch.push(addSize(path));
                if (batch.length === atOnce) {
                    await Promise.all(batch);
                    batch = [];
                }
            }
            await Promise.all(batch);
        } catch (error) {
            add(error);
        }
        if (files > maxFiles) {
            break;
        }
    }
    return { bytes, files, isComplete };
}

/** The disk usage of a folder whose files belong to the user of a run. */
async function folderSizeForOwner(folder: string): Promise<{ bytes: number; files: number; isComplete: boolean }> {
    const script = `find "$1" -printf '%b\\n' | awk '{ files += 1; blocks += $1 } END { print files - 1, blocks * 512 }'`;
    const [program, ...args] = asOwner(["/bin/sh", "-c", script, "sh", folder]);
    const { stdout } = await promisify(execFile)(program, args);
    const [files = 0, bytes = 0] = stdout.trim().split(" ").map(Number);
    return { bytes, files, isComplete: true };
}

/** The disk that contains a folder; undefined if the system does not say. */
export async function measureDisk(folder: string): Promise<{ freeBytes: number; totalBytes: number } | undefined> {
    try {
        const { bavail, blocks, bsize } = await statfs(folder);
        return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    } catch {
        return undefined;
    }
}
