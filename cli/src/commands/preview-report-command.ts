import { Argument, Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { finishReport } from "../comment/finish-report.js";
import { contextOf, type ReportCommandOptions, reportOptions } from "../comment/report-options.js";
import { commitOf, openComments } from "../comment/write-comment.js";
import { readEventFile } from "../preview/log/read-events.js";
import { createWritableReport } from "../report/write-report.js";

const notes = `
Record the event log with
  $ PULUMI_DEBUG_COMMANDS=1 pulumi preview --event-log events.log
or read it from standard input with
  $ PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json | static-export preview-report -
`;

interface Options extends ReportCommandOptions {
    project?: string;
    stack?: string;
}

export const previewReportCommand: CliCommand = {
    name: "preview-report",
    summary:
        "Report for reviewers what a preview found: exports and their reasons, rollouts, replacements, broken rules.",
    arguments: [new Argument("<events>", "event log of pulumi preview, or its streaming JSON; - is standard input")],
    options: [
        new Option("--project <name>", "name of the project (default: the one in the log)"),
        new Option("--stack <name>", "name of the stack (default: the one in the log)"),
        ...reportOptions,
    ],
    exitCodes: { 0: "no objections", 1: "a mandatory rule is broken or the preview failed" },
    notes,
    run: reportEvents,
};

async function reportEvents(events: string, { project, stack, ...options }: Options): Promise<number> {
    const { env } = process;
    const store = options.comment && openComments(options.comment, env, options.pullRequest);
    const context = { project, stack: stack?.split("/").at(-1), ...contextOf(options) };
    const report = createWritableReport(await readEventFile(events), context, env);
    return finishReport(report, { ...options, commit: options.commit ?? commitOf(env) }, env, store);
}
