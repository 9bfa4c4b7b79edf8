import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { holdFolder } from "../processes/held-folders.js";
import { makeWritable, removeLeftovers } from "../processes/remove-leftovers.js";
import { type DiskLimits } from "../processes/disk-watch.js";
import { type RunDisk, type RunDisks } from "../processes/run-disk.js";

/**
 * The folder of one run. The agent may change anything in it, so the folder is never used again, even if it cannot be
 * removed.
 */
export class Workspace {
    readonly folder: string;
    readonly checkout: string;
    readonly home: string;
    readonly temporary: string;
    /** The changed checkout, if a pod sends it. */
    readonly received: string;
    /** Git's index for the commit, outside of the folder: a sandboxed agent cannot write there. */
    readonly index: string;
    #held: FileHandle | undefined;

    /**
     * @param disk the file system that the run has for itself, if it has one
     * @param release says that nobody uses the folder any more
     */
    private constructor(
        folder: string,
        readonly disk: (RunDisk & { release(): void }) | undefined,
        private readonly release: () => Promise<void>,
    ) {
        this.folder = folder;
        this.checkout = join(folder, "checkout");
        this.home = join(folder, "home");
        this.temporary = join(folder, "tmp");
        this.received = join(folder, "received");
        this.index = `${folder}.index`;
    }

    /** A new folder in `parent`, or on a separate file system; its name begins with `name`. */
    static async create(
        parent: string,
        name: string,
        { disks, limits }: { readonly disks: RunDisks | undefined; readonly limits: DiskLimits },
    ): Promise<Workspace> {
        await mkdir(parent, { recursive: true, mode: 0o700 });
        const unique = `${name}-${randomBytes(4).toString("hex")}`;
        const folder = join(await realpath(parent), unique);
        const release = holdFolder(folder);
        const disk = await disks?.take(folder, unique, limits);
        if (disk === undefined) {
            await mkdir(folder, { recursive: true, mode: 0o700 });
        }
        const workspace = new Workspace(disk?.folder ?? folder, disk, release);
        await Promise.all([workspace.checkout, workspace.home, workspace.temporary].map((path) => mkdir(path)));
        workspace.#held = await open(
            workspace.checkout,
            constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
        );
        return workspace;
    }

    /**
     * Returns a path to the folder that was created as the checkout, and makes the whole folder readable. Call this
     * method when all processes of the agent have ended.
     *
     * @throws if the agent has replaced the folder
     */
    async openCheckout(): Promise<string> {
        const held = this.#held;
        if (held === undefined) {
            throw new Error("The checkout has been removed.");
        }
        const created = await held.stat();
        const found = await lstat(this.checkout).catch(() => undefined);
        if (!isDeepStrictEqual([found?.dev, found?.ino], [created.dev, created.ino])) {
            throw new Error("The agent replaced the folder of its checkout, so nothing was committed.");
        }
        // On Linux, the path is the open folder itself, even if the folder is renamed meanwhile.
        const path = process.platform === "linux" ? `/proc/${process.pid}/fd/${held.fd}` : this.checkout;
        // Git would record the files in an unreadable folder as deleted.
        await makeWritable(path);
        return path;
    }

    /** Resolves to the reason if something could not be removed. */
    async remove(): Promise<string | undefined> {
        await this.#held?.close();
        this.#held = undefined;
        const reason = (await removeLeftovers(this.folder)) ?? (await removeLeftovers(this.index));
        this.disk?.release();
        if (reason === undefined) {
            await this.release();
        }
        return reason;
    }
}
