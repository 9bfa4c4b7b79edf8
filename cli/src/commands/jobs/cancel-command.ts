import { Argument, Option } from "commander";
import { createClient } from "../../command-line/admin-client.js";
import { type CliCommand } from "../../command-line/cli-command.js";
import { clientNotes } from "../../command-line/options.js";
import { printJob } from "../../export/describe-job.js";
import { type JobOptions, jobOptions } from "../../export/job-options.js";
import { runJobCommand } from "../../export/run-job-command.js";

/** Cancels an export job that nobody needs any more. */
export const cancelCommand: CliCommand = {
    name: "cancel",
    summary: "Cancel an export job of the self-hosted service. A running job stops within seconds.",
    arguments: [new Argument("<id>", "the job")],
    options: [...jobOptions, new Option("--reason <text>", "reason, which appears in the job's error")],
    exitCodes: {
        0: "cancelled now or earlier, or about to stop",
        1: "the API's answer is invalid",
        5: "a request failed, or the job has ended",
    },
    notes: clientNotes,
    examples: ["static-export cancel se_42 --reason 'wrong branch'"],
    run: (id: string, { reason, ...options }: JobOptions & { reason?: string }) =>
        runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
            // Without the details, the cancellation itself says what is wrong, with the advice of this command.
            const before = await client.staticExports.details(id, { signal }).catch(() => undefined);
            const job = await client.staticExports.cancel(id, { signal, reason });
            printJob({ ...job, cancelled: true }, options.json);
            if (before?.cancelled === true) {
                console.error(`Export job ${id} was already cancelled: nothing has changed.`);
            }
            if (job.status === "running") {
                console.error(`Export job ${id} stops at the next heartbeat of its worker, within seconds.`);
            }
            return 0;
        }),
};
