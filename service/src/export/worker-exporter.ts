import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { type ExportControl, type Exporter, type ExportRequest, type ExportResult } from "./exporter.js";
import { type ExportWorkerReport, type ExportWorkerTask } from "./export-worker.js";

/**
 * The site exporter on worker threads, so that requests are answered while pages are rendered, and a site that
 * exhausts a thread's memory fails its job instead of the service. Threads start with the first job and end when idle.
 */
export class WorkerExporter implements Exporter {
    readonly #pool: Piscina<ExportWorkerTask, ExportResult>;

    constructor(concurrency: number) {
        this.#pool = new Piscina({
            filename: new URL("./export-worker.js", import.meta.url).href,
            minThreads: 0,
            maxThreads: concurrency,
            idleTimeout: 30_000,
            // The flags of whoever started us (a loader, an inspector) are not meant for the threads.
            execArgv: [],
        });
    }

    async export(request: ExportRequest, control: ExportControl): Promise<ExportResult> {
        const { port1, port2 } = new MessageChannel();
        port1.on("message", ({ progress, pageCount }: ExportWorkerReport) => control.onProgress(progress, pageCount));
        try {
            return await this.#pool.run({ request, port: port2 }, { transferList: [port2], signal: control.signal });
        } finally {
            port1.close();
        }
    }

    async close(): Promise<void> {
        await this.#pool.destroy();
    }
}
