import { Argument, Option } from "commander";
import { HttpError, type StaticExportDetails } from "@pulumi-static-export/sdk";
import { createClient } from "../../command-line/admin-client.js";
import { type CliCommand } from "../../command-line/cli-command.js";
import { clientNotes } from "../../command-line/options.js";
import { printJob } from "../../export/describe-job.js";
import { jobExitCodes, type JobOptions, jobOptions } from "../../export/job-options.js";
import { runJobCommand } from "../../export/run-job-command.js";

/** Shows the current status of one export job. The status does not affect the exit code. */
export const jobCommand: CliCommand = {
    name: "job",
    summary: "Show the current status of an export job. The exit code is 0 for every status.",
    arguments: [new Argument("<id>", "the job")],
    options: [
        ...jobOptions,
        new Option("--log", "also show the log of the job's runs (only from the self-hosted service)").default(false),
    ],
    exitCodes: { ...jobExitCodes, 0: "the job was shown", 1: "the API's answer is invalid" },
    notes: clientNotes,
    run: (id: string, { log: withLog, ...options }: JobOptions & { log: boolean }) =>
        runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
            const job = await client.staticExports.get(id, { signal });
            let details: Partial<StaticExportDetails> = {};
            try {
                details = await client.staticExports.details(id, { signal });
            } catch (error) {
                // Other platforms know only what the contract says.
                if (withLog || !(error instanceof HttpError) || ![403, 404, 405].includes(error.status)) {
                    throw error;
                }
            }
            const { log = [], ...shown } = details;
            printJob({ ...job, ...shown, ...(withLog && options.json ? { log } : {}) }, options.json);
            if (withLog && options.json !== true) {
                log.forEach(({ at, message }) => console.log(`${at} ${message}`));
            }
            return 0;
        }),
};
