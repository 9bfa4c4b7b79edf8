import { join } from "node:path";
import { type MessagePort } from "node:worker_threads";
import { createBundle, exportSite } from "../site/index.js";
import { type ExportRequest, type ExportResult } from "./exporter.js";

export interface ExportWorkerTask {
    request: ExportRequest;
    port: MessagePort;
}

export interface ExportWorkerReport {
    progress: number;
    pageCount: number;
}

/** The share of a job's time that goes into pages, measured: 44 % of a first export, 24 % of one from the cache. */
const pagesPercent = 40;
const reportIntervalMs = 50;

/** Runs on a thread of `WorkerExporter`. */
export default async function runExport({ request, port }: ExportWorkerTask): Promise<ExportResult> {
    const { workDir, ...site } = request;
    const outDir = join(workDir, "site");
    const archivePath = join(workDir, "bundle.tar.gz");
    const report = createReporter(port);
    const { pageCount, warnings } = await exportSite({
        ...site,
        outDir,
        onProgress: ({ pagesDone, pagesTotal }) => report(pagesPercent * (pagesDone / pagesTotal), pagesDone),
    });
    const { sizeBytes, sha256 } = await createBundle(outDir, archivePath, {
        onProgress: ({ filesDone, filesTotal }) =>
            report(pagesPercent + (99 - pagesPercent) * (filesDone / filesTotal), pageCount),
    });
    return {
        archivePath,
        pageCount,
        sizeBytes,
        sha256,
        warnings: warnings.map(({ file, line, reason }) => `${file}${line === undefined ? "" : `:${line}`}: ${reason}`),
    };
}

/** Passes reports on, whole percents, not more often than anybody looks. */
function createReporter(port: MessagePort): (progress: number, pageCount: number) => void {
    let reportedAt = -Infinity;
    return (progress, pageCount) => {
        const now = performance.now();
        if (now - reportedAt >= reportIntervalMs) {
            reportedAt = now;
            const report: ExportWorkerReport = { progress: Math.floor(progress), pageCount };
            port.postMessage(report);
        }
    };
}
