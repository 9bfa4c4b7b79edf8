import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { exportNodeOptions } from "../../../exporter/src/process/bounded-command.js";
import { type ExportProcessMessage } from "../../../exporter/src/process/export-process-message.js";
import { type ExportRequest, type ExportResult } from "../../../exporter/src/process/exporter.js";
import { runMeasured, type Usage } from "./measured-process.js";

/** The process that the service starts for a job. */
const program = fileURLToPath(new URL("../../../exporter/dist/bundled/export-process-main.mjs", import.meta.url));

/** The service's default limit. */
const memoryMegabytes = 1024;

/**
 * Runs an export job in a separate process, as the service does.
 * @throws Error with the reason why the job failed
 */
export async function measureExport(
    folders: Pick<ExportRequest, "sourceDir" | "workDir" | "cacheDir" | "warningsFile">,
): Promise<ExportResult & { usage: Usage }> {
    const request: ExportRequest = { domain: "docs.example.com", excludedDirs: [], ...folders };
    await mkdir(request.workDir, { recursive: true });
    let answer: ExportProcessMessage | undefined;
    const usage = await runMeasured({
        args: [...exportNodeOptions(memoryMegabytes), program],
        cwd: request.workDir,
        talk(child) {
            child.on("message", (message: ExportProcessMessage) => {
                if (message.kind !== "progress") {
                    answer = message;
                    // The process exits when its channel is closed.
                    child.disconnect();
                }
            });
            child.send(request);
        },
    });
    if (answer?.kind !== "result") {
        throw new Error(answer?.kind === "failure" ? answer.message : "the export process ended without an answer");
    }
    return { ...(answer.result as ExportResult), usage };
}
