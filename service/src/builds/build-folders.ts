import { mkdir, mkdtemp, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { toOneLine } from "@pulumi-static-export/exporter";
import { removeLeftovers } from "../processes/remove-leftovers.js";
import { type ServiceLogger } from "../shared/logger.js";

/** Older folders of builds belong to a service that was killed. */
const maxAgeMs = 24 * 60 * 60_000;

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
        await this.#removeOld();
        const folder = await mkdtemp(join(await realpath(this.place), `${jobId}-`));
        try {
            return await use(folder);
        } finally {
            await this.#remove(folder);
        }
    }

    async #removeOld(): Promise<void> {
        for (const name of await readdir(this.place)) {
            const folder = join(this.place, name);
            const found = await stat(folder).catch(() => undefined);
            if (found !== undefined && Date.now() - found.mtimeMs > maxAgeMs) {
                await this.#remove(folder);
            }
        }
    }

    async #remove(folder: string): Promise<void> {
        const reason = await removeLeftovers(folder);
        if (reason !== undefined) {
            this.logger.error(toOneLine(`Files that a build left cannot be removed: ${reason}`));
        }
    }
}
