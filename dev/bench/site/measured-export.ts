import { type ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { exportNodeOptions } from "../../../exporter/src/process/bounded-command.js";
import { type ExportProcessMessage } from "../../../exporter/src/process/export-process-message.js";
import { type ExportRequest, type ExportResult } from "../../../exporter/src/process/exporter.js";
import { runMeasured, type Usage } from "./measured-process.js";

/** The process that the service starts for a job. */
const program = fileURLToPath(new URL("../../../exporter/dist/bundled/export-process-main.mjs", import.meta.url));

/** The service's default limit. */
const memoryMegabytes = 1024;

type Folders = Pick<ExportRequest, "sourceDir" | "workDir" | "cacheDir" | "cores">;

/**
 * Runs an export job in a separate process, as the service does.
 * @throws Error with the reason why the job failed
 */
export async function measureExport(folders: Folders): Promise<ExportResult & { usage: Usage }> {
    await mkdir(folders.workDir, { recursive: true });
    let result: ExportResult | undefined;
    const talk = async (child: ChildProcess): Promise<void> => {
        child.send({ domain: "docs.example.com", excludedDirs: [], ...folders } satisfies ExportRequest);
        result = await resultOf(child);
        // The process exits when its channel is closed.
        child.disconnect();
    };
    const usage = await runMeasured({ args: [...exportNodeOptions(memoryMegabytes), program], cwd: tmpdir(), talk });
    return { ...(result as ExportResult), usage };
}

function resultOf(child: ChildProcess): Promise<ExportResult> {
    return new Promise((resolve, reject) => {
        child.on("message", (message: ExportProcessMessage) => {
            if (message.kind === "result") {
                resolve(message.result as ExportResult);
            } else if (message.kind === "failure") {
                reject(new Error(message.message));
            }
        });
        child.once("exit", () => reject(new Error("the export process ended without an answer")));
    });
}
