import { randomBytes } from "node:crypto";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { toOneLine } from "@pulumi-static-export/exporter";
import { holdFolder, removeUnheldFolders } from "../processes/held-folders.js";
import { removeLeftovers } from "../processes/remove-leftovers.js";
import { type ServiceLogger } from "../shared/logger.js";

/** The folders of builds, whose content committers decide. */
export class BuildFolders {
    /** Contains the folders. */
    readonly place: string;

    constructor(
        dataDir: string,
        private readonly logger: ServiceLogger,
    ) {
        this.place = join(dataDir, "builds");
    }

    /** As of {@link Builder}. */
    async withFolder<T>(jobId: string, use: (folder: string) => Promise<T>): Promise<T> {
        await mkdir(this.place, { recursive: true, mode: 0o700 });
        this.#logLeftovers(await removeUnheldFolders(this.place));
        const folder = join(await realpath(this.place), `${jobId}-${randomBytes(4).toString("hex")}`);
        const release = holdFolder(folder);
        try {
            await mkdir(folder, { mode: 0o700 });
            return await use(folder);
        } finally {
            const reason = await removeLeftovers(folder);
            this.#logLeftovers(reason === undefined ? [] : [reason]);
            await release();
        }
    }

    #logLeftovers(reasons: readonly string[]): void {
        for (const reason of reasons) {
            this.logger.error(toOneLine(`Files that a build left behind cannot be removed: ${reason}`));
        }
    }
}
