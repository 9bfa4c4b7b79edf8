import { Command, InvalidArgumentError, Option } from "commander";
import { finishReport } from "./comment/finish-report.js";
import { type CommentOptions, commitOf, openComments, platforms } from "./comment/write-comment.js";
import { defaultProtectedStacks, type ProtectedStacks } from "./preview/protected-stacks.js";
import { readEventFile } from "./preview/read-events.js";
import { createWritableReport, type ReportOptions } from "./report/write-report.js";
import { exitAsCheck } from "./exit-as-check.js";

const help = `
Record the event log with
  $ PULUMI_DEBUG_COMMANDS=1 pulumi preview --event-log events.log
or read it from standard input with
  $ PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json | static-export preview-report -

Exit codes: 0 no objections, 1 a mandatory rule is broken or the preview failed, 2 wrong usage.
`;

interface Options extends ReportOptions, CommentOptions, DeletionOptions {
    project?: string;
    stack?: string;
}

export function createPreviewReportCommand(): Command {
    const command = new Command("preview-report")
        .description(
            "Report for reviewers what a preview found: exports and their reasons, rollouts, replacements, broken rules.",
        )
        .argument("<events>", "event log of pulumi preview, or its streaming JSON; - is standard input")
        .option("--project <name>", "name of the project (default: the one in the log)")
        .option("--stack <name>", "name of the stack (default: the one in the log)");
    return addReportOptions(command)
        .addHelpText("after", help)
        .action(async (events: string, { project, stack, ...options }: Options) => {
            const { env } = process;
            const store = options.comment && openComments(options.comment, env, options.pullRequest);
            const context = { project, stack, protectedStacks: protectedStacksOf(options) };
            const report = createWritableReport(await readEventFile(events), context, env);
            const named = { ...options, commit: options.commit ?? commitOf(env) };
            process.exitCode = await finishReport(report, named, env, store);
        });
}

/** The options that say in which stacks deletions are reported prominently, and whether they fail the check. */
export interface DeletionOptions {
    protectedStack?: string[];
    deletions: ProtectedStacks["level"];
}

export function protectedStacksOf({ protectedStack, deletions }: DeletionOptions): ProtectedStacks {
    return { stacks: protectedStack ?? defaultProtectedStacks.stacks, level: deletions };
}

/** The options of every command that writes a report. */
export function addReportOptions(command: Command): Command {
    return exitAsCheck(command)
        .option("--json", "write JSON instead of Markdown")
        .option("--out <file>", "write the report to a file instead of standard output")
        .option("--commit <sha>", "commit that the report names (default: that of the CI job)")
        .option("--folder <path>", "folder of the program in the repository, which the report names")
        .addOption(
            new Option("--comment <platform>", "create or update the comment on the pull request").choices(platforms),
        )
        .option(
            "--pull-request <number>",
            "pull or merge request to comment on (default: that of the CI job)",
            readNumber,
        )
        .option(
            "--protected-stack <name>",
            "stack in which deletions are reported, * for any characters (default: prod*)",
            addTo,
        )
        .addOption(
            new Option("--deletions <level>", "level of a site's deletion in such a stack; mandatory exits with 1")
                .choices(["advisory", "mandatory"])
                .default(defaultProtectedStacks.level),
        )
        .option("--no-step-summary", "do not write the GitHub job summary, even if GITHUB_STEP_SUMMARY is set");
}

/** Collects the values of a repeatable option. */
export function addTo(value: string, values: readonly string[] = []): string[] {
    return [...values, value];
}

function readNumber(text: string): number {
    if (!/^[1-9]\d{0,9}$/.test(text)) {
        throw new InvalidArgumentError("It must be the number of a pull request.");
    }
    return Number(text);
}
