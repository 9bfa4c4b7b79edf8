import { randomBytes } from "node:crypto";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { toOneLine } from "@pulumi-static-export/exporter";
import { holdFolder } from "../processes/held-folders.js";
import { removeLeftRuns } from "../processes/left-runs.js";
import { removeLeftovers } from "../processes/remove-leftovers.js";
import { type RunDisk, type RunDisks } from "../processes/run-disk.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type BuildLimits } from "./site-build.js";

/** The folders of builds, whose content committers decide. */
export class BuildFolders {
    /** Contains the folders. */
    readonly place: string;

    /** By the folder of the build. */
    readonly #used = new Map<string, RunDisk>();

    /** @param disks the file systems of builds. @default builds share the data folder's */
    constructor(
        dataDir: string,
        private readonly logger: ServiceLogger,
        private readonly disks?: RunDisks,
    ) {
        this.place = join(dataDir, "builds");
    }

    /** As of {@link Builder}. */
    async withFolder<T>(
        jobId: string,
        { diskMegabytes, maxFiles }: BuildLimits,
        use: (folder: string) => Promise<T>,
    ): Promise<T> {
        await mkdir(this.place, { recursive: true, mode: 0o700 });
        this.#logLeftovers(await removeLeftRuns(this.place));
        const name = `${jobId}-${randomBytes(4).toString("hex")}`;
        let folder = join(await realpath(this.place), name);
        const release = holdFolder(folder);
        const limits = { bytes: diskMegabytes * 2 ** 20, files: maxFiles };
        const disk = await this.disks?.take(folder, name, limits);
        try {
            if (disk === undefined) {
                await mkdir(folder, { recursive: true, mode: 0o700 });
            } else {
                folder = disk.folder;
                this.#used.set(folder, disk);
            }
            return await use(folder);
        } finally {
            this.#used.delete(folder);
            const reason = await removeLeftovers(folder);
            this.#logLeftovers(reason === undefined ? [] : [reason]);
            disk?.release();
            await release();
        }
    }

    /** The file system that a build has for itself, if it has one. */
    diskOf(folder: string): RunDisk | undefined {
        return this.#used.get(folder);
    }

    #logLeftovers(reasons: readonly string[]): void {
        for (const reason of reasons) {
            this.logger.error(toOneLine(`Files that a build left behind cannot be removed: ${reason}`));
        }
    }
}
