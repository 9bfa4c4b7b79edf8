import { Argument } from "commander";
import { createClient } from "../../command-line/admin-client.js";
import { type CliCommand } from "../../command-line/cli-command.js";
import { clientNotes } from "../../command-line/options.js";
import { printJob } from "../../export/describe-job.js";
import { jobExitCodes, type JobOptions, jobOptions } from "../../export/job-options.js";
import { runJobCommand } from "../../export/run-job-command.js";

/** Shows the current status of one export job. The status does not affect the exit code. */
export const jobCommand: CliCommand = {
    name: "job",
    summary: "Show the current status of an export job; exits with 0, whatever the status.",
    arguments: [new Argument("<id>", "the job")],
    options: jobOptions,
    exitCodes: { ...jobExitCodes, 0: "the job was shown", 1: "the API's answer is invalid" },
    notes: clientNotes,
    run: (id: string, options: JobOptions) =>
        runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
            printJob(await client.staticExports.get(id, { signal }), options.json);
            return 0;
        }),
};
