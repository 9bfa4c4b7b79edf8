import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs `work` with a folder that nobody else can look into and that goes with it, also when this process exits
 * meanwhile, as a provider does when its engine is gone.
 */
export async function withTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), prefix));
    const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    process.once("exit", remove);
    try {
        return await work(folder);
    } finally {
        await rm(folder, { recursive: true, force: true });
        process.off("exit", remove);
    }
}
