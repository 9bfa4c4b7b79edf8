import { type Command } from "commander";
import { createClient } from "../admin-client.js";
import { printJob } from "./describe-job.js";
import { failedExitCode, notDoneExitCode } from "./exit-codes.js";
import { addSaveOptions, createCommandAboutJobs, type JobOptions } from "./job-options.js";
import { runJobCommand } from "./run-job-command.js";
import { assertSavable, saveBundle, type SaveOptions } from "./save-bundle.js";

const examples = `
Examples:
  $ static-export fetch se_42 --output site
  $ static-export fetch se_42 --output site --sha256 "$(cat site.sha256)" --json
`;

/** Fetches the bundle of a completed job. */
export function createFetchCommand(): Command {
    return addSaveOptions(createCommandAboutJobs("fetch", "Download and unpack the bundle of a completed job."))
        .argument("<id>", "the job")
        .addHelpText("after", examples)
        .action(async (id: string, options: JobOptions & SaveOptions) => {
            assertSavable(options);
            await runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
                const job = await client.staticExports.get(id, { signal });
                if (job.status !== "completed") {
                    const isFailed = job.status === "failed";
                    console.error(
                        isFailed
                            ? `error: Export job ${id} failed: ${job.error ?? "the API gives no reason"}. Start a new export.`
                            : `error: Export job ${id} is ${job.status}. Wait for it with: static-export export --job ${id}`,
                    );
                    return isFailed ? failedExitCode : notDoneExitCode;
                }
                printJob(job, options.json, await saveBundle(client, id, options, signal));
                return 0;
            });
        });
}
