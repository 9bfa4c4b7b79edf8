import { Argument } from "commander";
import { createClient } from "../../command-line/admin-client.js";
import { type CliCommand } from "../../command-line/cli-command.js";
import { UsageError } from "../../command-line/usage-error.js";
import { clientNotes } from "../../command-line/options.js";
import { printJob } from "../../export/describe-job.js";
import { failedExitCode, notDoneExitCode } from "../../export/exit-codes.js";
import { jobExitCodes, type JobOptions, jobOptions, saveOptions } from "../../export/job-options.js";
import { runJobCommand } from "../../export/run-job-command.js";
import { assertSavable, saveBundle, type SaveOptions } from "../../export/save-bundle.js";

/** Fetches the bundle of a completed job. */
export const fetchCommand: CliCommand = {
    name: "fetch",
    summary: "Download and unpack the bundle of a completed job.",
    arguments: [new Argument("<id>", "the job")],
    options: [...jobOptions, ...saveOptions],
    exitCodes: jobExitCodes,
    notes: clientNotes,
    examples: [
        "static-export fetch se_42 --output site",
        'static-export fetch se_42 --output site --sha256 "$(cat site.sha256)" --json',
    ],
    run: fetchBundle,
};

async function fetchBundle(id: string, options: JobOptions & SaveOptions): Promise<number> {
    if (id.includes("/")) {
        throw new UsageError(
            "fetch needs the id of a job, such as se_42, but got an address. To download from a link, use " +
                "curl --location --output site.tar.gz LINK.",
        );
    }
    assertSavable(options);
    return runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
        const job = await client.staticExports.get(id, { signal });
        if (job.status !== "completed") {
            const isFailed = job.status === "failed";
            console.error(
                isFailed
                    ? `error: Export job ${id} failed: ${job.error ?? "the API gives no reason"}. Start a new export.`
                    : `error: Export job ${id} is ${job.status}. Wait for the job with: ` +
                          `static-export export --job ${id}`,
            );
            return isFailed ? failedExitCode : notDoneExitCode;
        }
        printJob(job, options.json, await saveBundle(client, id, options, signal));
        return 0;
    });
}
