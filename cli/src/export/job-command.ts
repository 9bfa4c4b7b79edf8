import { type Command } from "commander";
import { createClient } from "../admin-client.js";
import { printJob } from "./describe-job.js";
import { createCommandAboutJobs, type JobOptions } from "./job-options.js";
import { runJobCommand } from "./run-job-command.js";

/** Shows the current status of one export job, which does not change the exit code. */
export function createJobCommand(): Command {
    return createCommandAboutJobs("job", "Show the current status of an export job; exits with 0, whatever the status.")
        .argument("<id>", "the job")
        .action(async (id: string, options: JobOptions) =>
            runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
                printJob(await client.staticExports.get(id, { signal }), options.json);
                return 0;
            }),
        );
}
