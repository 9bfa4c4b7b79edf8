import { execFile } from "node:child_process";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { mkdir, readdir, realpath, statfs, unlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { lockFile } from "../database/open-sqlite.js";
import { type DiskLimits, findDiskExcess } from "./disk-watch.js";
import { removeLeftovers } from "./remove-leftovers.js";

const run = promisify(execFile);

/** A folder on a file system that no other run uses: the kernel counts its files, also those that have no name. */
export interface RunDisk {
    readonly folder: string;
    /** May be less than the run's limit if the disk around it has little room. */
    readonly maxBytes: number;
    /** The reason to end the run, if it exceeds a limit. */
    findExcess(): Promise<string | undefined>;
}

const isRoot = process.platform === "linux" && process.getuid?.() === 0;

/** Contains the file systems that the operator has mounted for runs. */
const mountedDisks = "build-disks";

/** A file system in memory: its images would take memory in place of disk. */
const tmpfs = 0x01_02_19_94;

/** The image of a file system is larger than its files: by 256 bytes for each, and this reserve. */
const reservedBytes = 32 * 2 ** 20;

/** Programs of the system that are not on every PATH. */
const systemPath = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"];

/** File systems of a fixed size for runs. */
export class RunDisks {
    constructor(private readonly dataDir: string) {}

    /** @returns why runs have no separate file systems, if they have none */
    get fault(): string | undefined {
        if (this.#mounted().length > 0) {
            return undefined;
        }
        if (!isRoot) {
            return `no file system is mounted in ${join(this.dataDir, mountedDisks)}`;
        }
        const missing = ["mkfs.ext4", "mount", "umount", "fallocate"].find((name) => !isInstalled(name));
        return missing === undefined ? undefined : `${missing} is not installed`;
    }

    /**
     * Takes a file system that the operator has mounted, or as root makes one, for a folder that does not exist.
     * @returns undefined if there is none: all are in use, or this process may not mount any
     */
    async take(folder: string, name: string, limits: DiskLimits): Promise<(RunDisk & { release(): void }) | undefined> {
        for (const place of this.#mounted()) {
            const release = lock(`${place}.lock`);
            if (release !== undefined) {
                const left = (await readdir(place)).filter((each) => each !== "lost+found");
                await Promise.all(left.map((each) => removeLeftovers(join(place, each))));
                const own = join(await realpath(place), name);
                await mkdir(own, { mode: 0o700 });
                return { ...(await measured(own, limits)), release };
            }
        }
        if (!isRoot || this.fault !== undefined) {
            return undefined;
        }
        const bytes = await mountImage(folder, limits);
        return bytes === undefined
            ? undefined
            : { ...(await measured(folder, { ...limits, bytes })), release: () => undefined };
    }

    /** Folders on another device than the data folder. */
    #mounted(): string[] {
        const place = join(this.dataDir, mountedDisks);
        const deviceOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev;
        try {
            return readdirSync(place)
                .map((name) => join(place, name))
                .filter((path) => deviceOf(path) !== deviceOf(place));
        } catch {
            return [];
        }
    }
}

/** The image of a run's file system, which has a name only until it is mounted. */
export function imageOf(folder: string): string {
    return `${folder}.image`;
}

/**
 * Mounts a file system of the wanted size, with space that is reserved for it, so that a full disk damages no file.
 * @returns its size for files; undefined if it cannot be mounted
 */
async function mountImage(folder: string, { bytes, files }: DiskLimits): Promise<number | undefined> {
    const { bavail, bsize, type } = await statfs(dirname(folder));
    if (type === tmpfs) {
        return undefined;
    }
    const tables = 256 * files + reservedBytes;
    const usable = Math.min(bytes, Math.floor((bavail * bsize) / 2) - tables);
    if (usable < Math.min(bytes, reservedBytes)) {
        return undefined;
    }
    const image = imageOf(folder);
    const env = { ...process.env, PATH: [process.env["PATH"], ...systemPath].join(delimiter) };
    try {
        await mkdir(folder, { mode: 0o700 });
        await run("fallocate", ["-l", String(Math.ceil(usable * 1.03) + tables), image], { env });
        const format = ["-q", "-F", "-m", "0", "-O", "^has_journal", "-E", "nodiscard,lazy_itable_init=1"];
        await run("mkfs.ext4", [...format, "-N", String(files + 1000), image], { env });
        await run("mount", ["-t", "ext4", "-o", "loop,nosuid,nodev,noatime,noinit_itable", image, folder], { env });
        return usable;
    } catch {
        return undefined;
    } finally {
        // The mounted file system keeps the space until it is unmounted, also by a later process.
        await unlink(image).catch(() => undefined);
    }
}

async function measured(folder: string, { bytes, files }: DiskLimits): Promise<RunDisk> {
    const usage = async () => {
        const { blocks, bfree, bsize, files: inodes, ffree } = await statfs(folder);
        return { bytes: (blocks - bfree) * bsize, files: inodes - ffree };
    };
    const before = await usage();
    return {
        folder,
        maxBytes: bytes,
        findExcess: async () => {
            const now = await usage();
            const used = { bytes: now.bytes - before.bytes, files: now.files - before.files };
            return findDiskExcess(used, { bytes, files });
        },
    };
}

function lock(file: string): (() => void) | undefined {
    try {
        return lockFile(file);
    } catch {
        return undefined;
    }
}

function isInstalled(program: string): boolean {
    return systemPath.some((folder) => {
        try {
            accessSync(join(folder, program), constants.X_OK);
            return true;
        } catch {
            return false;
        }
    });
}
