import { type ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { exportNodeOptions } from "../../../exporter/src/process/bounded-command.js";
import { type ExportProcessMessage } from "../../../exporter/src/process/export-process-message.js";
import { type ExportRequest, type ExportResult } from "../../../exporter/src/process/exporter.js";
import { runMeasured, type Usage } from "./measured-process.js";
import { PartClock, type PartTimes } from "./part-times.js";

/** The process that the service starts for a job. */
const program = fileURLToPath(new URL("../../../exporter/dist/bundled/export-process-main.mjs", import.meta.url));

/** The service's default limit. */
const memoryMegabytes = 1024;

type Folders = Pick<ExportRequest, "sourceDir" | "workDir" | "cacheDir" | "warningsFile" | "cores">;

export type MeasuredExport = ExportResult & { usage: Usage; parts: PartTimes };

/**
 * Runs an export job in a separate process, as the service does.
 * @throws Error with the reason why the job failed
 */
export async function measureExport(folders: Folders): Promise<MeasuredExport> {
    const { exports, usage } = await runJobs([() => Promise.resolve(folders)]);
    return { ...(exports[0] as MeasuredExport), usage };
}

/**
 * Runs export jobs one after the other in the same process, as the service does while it is busy. The first job's usage
 * includes the start of the process; the memory of a job includes that of earlier jobs.
 * @param jobs called before each job
 * @throws Error with the reason why a job failed
 */
export async function measureExports(jobs: readonly (() => Promise<Folders>)[]): Promise<MeasuredExport[]> {
    return (await runJobs(jobs)).exports;
}

/** @returns each export, and the usage of the whole process */
async function runJobs(
    jobs: readonly (() => Promise<Folders>)[],
): Promise<{ readonly exports: MeasuredExport[]; readonly usage: Usage }> {
    const exports: MeasuredExport[] = [];
    const args = [...exportNodeOptions(memoryMegabytes), program];
    const talk = async (child: ChildProcess, look: () => Usage): Promise<void> => {
        let before: Usage = { wallSeconds: 0, cpuSeconds: 0, peakMegabytes: 0 };
        for (const job of jobs) {
            const folders = await job();
            await mkdir(folders.workDir, { recursive: true });
            child.send({ domain: "docs.example.com", excludedDirs: [], ...folders } satisfies ExportRequest);
            const clock = new PartClock(child.pid as number);
            const result = await resultOf(child, clock);
            const [now, parts] = [look(), clock.times()];
            const usage = {
                wallSeconds: now.wallSeconds - before.wallSeconds,
                cpuSeconds: now.cpuSeconds - before.cpuSeconds,
                peakMegabytes: now.peakMegabytes,
            };
            exports.push({ ...result, usage, parts });
            before = now;
        }
        // The process exits when its channel is closed.
        child.disconnect();
    };
    return { usage: await runMeasured({ args, cwd: tmpdir(), talk }), exports };
}

function resultOf(child: ChildProcess, clock: PartClock): Promise<ExportResult> {
    return new Promise((resolve, reject) => {
        const onMessage = (message: ExportProcessMessage): void => {
            if (message.kind === "progress") {
                clock.onProgress();
            } else if (message.kind === "result") {
                child.off("message", onMessage);
                resolve(message.result as ExportResult);
            } else if (message.kind === "failure") {
                reject(new Error(message.message));
            }
        };
        child.on("message", onMessage);
        child.once("exit", () => reject(new Error("the export process ended without an answer")));
    });
}
