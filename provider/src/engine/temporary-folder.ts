import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processEnd } from "./process-end.js";

/** Runs `work` with a private folder, which is removed afterwards, even if this process gets a signal meanwhile. */
export async function withTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), prefix));
    const takeBack = processEnd.onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    try {
        return await work(folder);
    } finally {
        await rm(folder, { recursive: true, force: true });
        takeBack();
    }
}
