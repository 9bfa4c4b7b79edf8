import { type Command } from "commander";
import { printJob } from "./describe-job.js";
import { createCommandAboutJobs, type JobOptions } from "./job-options.js";
import { runJobCommand } from "./run-job-command.js";

/** One export job as it is now; its status does not change the exit code. */
export function createJobCommand(): Command {
    return createCommandAboutJobs("job", "Show an export job as it is now; ends with 0, whatever its status.")
        .argument("<id>", "the job")
        .action(async (id: string, options: JobOptions) =>
            runJobCommand(options, async ({ client, signal }) => {
                printJob(await client.staticExports.get(id, { signal }), options.json);
                return 0;
            }),
        );
}
