/** The program of an export process: runs the jobs that the service sends, one at a time, until it is ended. */
import { Worker } from "node:worker_threads";
import { describeFailure } from "./describe-failure.js";
import { type ExportRequest } from "./exporter.js";
import { type ExportProcessMessage } from "./export-process-message.js";
import { runExport } from "./run-export.js";

const reportIntervalMs = 50;

/** Ends this process when the service has exited, even while a page blocks the main thread. */
const watchdog = `
    const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 1000);
`;
new Worker(watchdog, { eval: true }).unref();
process.on("disconnect", () => process.exit());
process.on("message", (request: ExportRequest) => void run(request));

async function run(request: ExportRequest): Promise<void> {
    try {
        send({ kind: "result", result: await runExport(request, createReporter()) });
    } catch (error) {
        send({ kind: "failure", ...describeFailure(error, request) });
    }
}

/** Reports progress in whole percents, at a limited rate. */
function createReporter(): (progress: number, pageCount: number) => void {
    let reportedAt = -Infinity;
    return (progress, pageCount) => {
        const now = performance.now();
        if (now - reportedAt >= reportIntervalMs) {
            reportedAt = now;
            send({ kind: "progress", progress: Math.floor(progress), pageCount });
        }
    };
}

function send(message: ExportProcessMessage): void {
    // The service has exited: nobody needs the result.
    process.send?.(message, undefined, {}, () => undefined);
}
