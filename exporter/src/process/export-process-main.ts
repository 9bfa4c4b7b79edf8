/**
 * The program of an export process: runs the jobs that the service sends, one at a time, or answers the calls of a live
 * site, until the service ends the process. In a worker thread of an export process, writes groups of pages.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { describeFailure } from "./describe-failure.js";
import {
    type ExportRequest,
    type ExportResult,
    type FolderExportRequest,
    type FolderExportResult,
} from "./exporter.js";
import { type ExportProcessMessage } from "./export-process-message.js";
import { LiveCallee } from "./live-calls.js";
import { type LiveRequest, type LiveResponse } from "./live-messages.js";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type SiteWarning } from "../problems/warning-log.js";
import { exportSite } from "../write/export-site.js";
import { type ExportSiteResult } from "../write/write-site.js";
import { type PageWorkerData } from "../write/workers/page-worker-message.js";
import { IdleWorkers } from "../write/workers/page-workers.js";
import { servePageGroups } from "../write/workers/page-worker.js";
import { CurrentPageWriter } from "./current-page.js";
import { parserChoice } from "./parser-of-page.js";
import { toExportWarnings } from "./export-warnings.js";

const reportIntervalMs = 50;

/** Ends this process when the service has exited, even while a page blocks the main thread. */
const watchdog = `
    const { workerData: parent } = require("node:worker_threads");
    setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 1000);
`;
const parent = process.ppid;
let isWatched = false;

function startWatchdog(): void {
    if (!isWatched) {
        isWatched = true;
        new Worker(watchdog, { eval: true, workerData: parent }).unref();
    }
}

const idleWorkers = new IdleWorkers();
const liveSite = new LiveCallee();
if (isMainThread) {
    process.on("disconnect", () => process.exit());
    process.on(
        "message",
        (request: ExportRequest | LiveRequest) =>
            void ("liveId" in request ? handleCall(request) : handleRequest(request)),
    );
} else if (parentPort !== null) {
    await servePageGroups(parentPort, workerData as PageWorkerData);
}

async function handleCall({ liveId: id, call }: LiveRequest): Promise<void> {
    try {
        send({ kind: "live", id, result: await liveSite.run(call) });
    } catch (error) {
        send({ kind: "live", id, error: error instanceof Error ? error.message : String(error) });
    }
    // Starts the thread after the first answer, because an author waits for that answer, and starting the thread first
    // would add a tenth to the wait.
    startWatchdog();
}

async function handleRequest(request: ExportRequest): Promise<void> {
    try {
        send({ kind: "result", result: await exportRequested(request, createReporter()) });
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

function send(message: ExportProcessMessage | LiveResponse): void {
    // Ignores errors, which mean that the service has exited and nobody needs the result.
    process.send?.(message, undefined, {}, () => undefined);
}

/** Omits what most sites do not have. */
function notesOf({
    sends,
    draftCount,
    leftOut,
}: ExportSiteResult): Pick<FolderExportResult, "sends" | "draftCount" | "leftOut"> {
    return {
        ...(sends.length > 0 && { sends }),
        ...(draftCount > 0 && { draftCount }),
        ...(leftOut !== undefined && leftOut.count > 0 && { leftOut }),
    };
}

/** The percentage after the last page; the rest is for other files and for completing the archive. */
const maxPercent = 99;

/**
 * Runs one job in this process, and writes an archive or a folder.
 * @param report - called with the percentage, 0 to 99, and the number of pages
 */
async function exportRequested(
    request: ExportRequest | FolderExportRequest,
    report: (progress: number, pageCount: number) => void,
): Promise<ExportResult | FolderExportResult> {
    const { workDir, warningsFile, markdownPages = [], ...rest } = request;
    const chooseParser = parserChoice(markdownPages);
    const warningLines: string[] = [];
    const currentPage = new CurrentPageWriter(workDir);
    const site = {
        ...rest,
        // With more threads than cores, each thread takes CPU time for its start, and none is faster.
        cores: Math.min(rest.cores ?? 1, availableParallelism()),
        idleWorkers,
        onPage: (file: string | undefined) => {
            // An export of unchanged pages needs no thread, which would take a tenth of its time.
            startWatchdog();
            currentPage.set(file);
            chooseParser(file);
        },
        ...(warningsFile !== undefined && {
            onWarning: (warning: SiteWarning) => void warningLines.push(`${JSON.stringify(warning)}\n`),
        }),
        onProgress: ({ pagesDone, pagesTotal }: { pagesDone: number; pagesTotal: number }) =>
            report(maxPercent * (pagesDone / pagesTotal), pagesDone),
    };
    try {
        if ("outDir" in site) {
            const result = await exportSite(site);
            const { pageCount, warnings, warningCounts } = result;
            return { pageCount, ...notesOf(result), warnings: toExportWarnings(warnings, warningCounts) };
        }
        const archivePath = join(workDir, "bundle.tar.gz");
        const result = await exportSite({ ...site, archivePath });
        const { pageCount, warnings, warningCounts, sizeBytes, sha256 } = result;
        const counted = toExportWarnings(warnings, warningCounts);
        return { archivePath, pageCount, sizeBytes, sha256, ...notesOf(result), warnings: counted };
    } finally {
        // Writes the warnings even if the export failed because of them.
        if (warningsFile !== undefined) {
            writeFileSync(warningsFile, warningLines.join(""));
        }
        currentPage.close();
    }
}
