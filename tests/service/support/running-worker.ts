import { createWorker, type WorkerOptions } from "@pulumi-static-export/service";
import { join } from "node:path";
import { domain } from "./running-service.js";

/** Runs a worker next to the services of `folder`. */
export async function withWorker(
    folder: string,
    database: string,
    options: Partial<WorkerOptions>,
    use: () => Promise<void>,
): Promise<void> {
    const sites = { [domain]: join(folder, "site") };
    const worker = createWorker({ dataDir: join(folder, "data"), sites, database, pollMs: 20, ...options });
    try {
        await worker.start();
        await use();
    } finally {
        await worker.close();
    }
}
