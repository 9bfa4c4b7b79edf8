import { type JobSettings, readJobSettings } from "./job-options.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { UsageError } from "../command-line/usage-error.js";

/** The options of `static-export work`, parsed. */
export interface WorkOptions extends JobSettings {
    database: string;
    concurrency: number;
    tickSeconds: number;
}

/** Runs a worker until a signal stops it. @throws UsageError when it cannot start as asked */
export async function work(options: WorkOptions): Promise<void> {
    const { createWorker, FaultSpecError, ServiceOptionsError } = await import("@pulumi-static-export/service");
    const settings = readJobSettings(options);
    try {
        const worker = createWorker({
            ...settings,
            database: options.database,
            concurrency: options.concurrency,
            tickMs: options.tickSeconds * 1000,
        });
        stopOnSignal(worker, settings.logger);
        await worker.start();
    } catch (error) {
        if ((error as Error).name === "AbortError") {
            return;
        }
        throw error instanceof ServiceOptionsError || error instanceof FaultSpecError
            ? new UsageError(error.message)
            : error;
    }
    settings.logger.started(`Worker for ${Object.keys(options.site).join(", ")}`, []);
}
