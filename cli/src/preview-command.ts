import { Command } from "commander";
import { type CommentOptions, commitOf, openComments, tokenVariables } from "./comment/write-comment.js";
import { finishReport } from "./comment/finish-report.js";
import { findFolder, findProjectName } from "./preview/project.js";
import { exitCodeOf, type PreviewContext } from "./preview/preview-report.js";
import { type PreviewRun, runPreview } from "./preview/run-preview.js";
import { addReportOptions, addTo, type DeletionOptions, protectedStacksOf } from "./preview-report-command.js";
import { createWritableReport, type ReportOptions, type WritableReport } from "./report/write-report.js";
import { UsageError } from "./usage-error.js";

const help = `
Examples:
  $ static-export preview --stack production --policy-pack policy
  $ static-export preview --stack production --policy-pack policy --comment github -- --refresh

The token for the comment is read from GITHUB_TOKEN or GITLAB_TOKEN; neither is passed to the previewed program.
Exit codes: 0 no objections, 1 a mandatory rule is broken or the preview failed, 2 wrong usage, or the comment could not be
written.
`;

interface Options extends ReportOptions, CommentOptions, DeletionOptions {
    cwd: string;
    stack?: string;
    policyPack: string[];
    policyPackConfig: string[];
    events?: string;
}

export function createPreviewCommand(): Command {
    const command = new Command("preview")
        .description("Run pulumi preview, write a report, and keep one comment on the pull request up to date.")
        .argument("[arguments...]", "further arguments of pulumi preview, after --")
        .option("-C, --cwd <folder>", "folder of the Pulumi program", ".")
        .option("-s, --stack <name>", "stack to preview (default: the selected one)")
        .option("--policy-pack <path>", "policy pack to run (repeatable)", addTo, [])
        .option(
            "--policy-pack-config <file>",
            "configuration of the policy pack, in the same order (repeatable)",
            addTo,
            [],
        )
        .option("--events <file>", "keep the event log, so that preview-report can write the report in another job");
    return addReportOptions(command)
        .addHelpText("after", help)
        .action(async (args: string[], options: Options) => {
            process.exitCode = await preview(args, options, process.env);
        });
}

/** Runs the preview and writes its report and comment. Returns the exit code. */
async function preview(args: readonly string[], options: Options, env: NodeJS.ProcessEnv): Promise<number> {
    const { cwd, stack, comment, policyPack: policyPacks, policyPackConfig: policyPackConfigs } = options;
    if (comment !== undefined && stack === undefined) {
        throw new UsageError("--comment needs --stack: the comment is identified by the name of the stack.");
    }
    // Before the preview, so that a missing setting is reported at once.
    const store = comment && openComments(comment, env, options.pullRequest);
    const programEnv = { ...env };
    tokenVariables.forEach((name) => comment !== undefined && delete programEnv[name]);
    const run = await runPreview({
        ...{ cwd, stack, policyPacks, policyPackConfigs, args, env: programEnv },
        events: options.events,
    });
    if (run.interruptedBy !== undefined) {
        console.error("The preview was interrupted: there is no report, and no comment was written.");
        return run.interruptedBy === "SIGINT" ? 130 : 143;
    }
    const project = findProjectName(cwd);
    const context = { project, stack: stack?.split("/").at(-1), protectedStacks: protectedStacksOf(options) };
    const writable = createRunReport(run, context, env);
    const named = { ...options, commit: options.commit ?? commitOf(env), folder: options.folder ?? findFolder(cwd) };
    return finishReport(writable, named, env, store);
}

/** If Pulumi failed and its events do not say why, its last lines of output do. */
function createRunReport(
    { log, exitCode, lastOutput }: PreviewRun,
    context: PreviewContext,
    env: NodeJS.ProcessEnv,
): WritableReport {
    const writable = createWritableReport(log, context, env);
    const { report } = writable;
    const isExplained =
        exitCode === 0 || (exitCodeOf(report) === 1 && (report.errors.length > 0 || !report.isIncomplete));
    const failure = lastOutput.trim() || `pulumi preview ended with exit code ${exitCode}.`;
    return isExplained ? writable : createWritableReport(log, { ...context, failure }, env);
}
