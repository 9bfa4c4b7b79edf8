import { Argument, Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { addTo } from "../command-line/options.js";
import { hideEnvironment } from "../command-line/hide-environment.js";
import { UsageError } from "../command-line/usage-error.js";
import { finishReport } from "../comment/finish-report.js";
import { contextOf, type ReportCommandOptions, reportOptions } from "../comment/report-options.js";
import { commitOf, openComments, tokenVariables } from "../comment/write-comment.js";
import { findProject, findUpwards, requireProject, stackName } from "../project/pulumi-project.js";
import { adviceOnReferences } from "../preview/referenced-stacks.js";
import { withoutRefresh, withRedactedStack } from "../preview/redacted-stack.js";
import { type PreviewOptions, type PreviewRun, runPreview } from "../preview/run-preview.js";
import { createWritableReport } from "../report/write-report.js";
import { dirname, relative, resolve, sep } from "node:path";

interface Options extends ReportCommandOptions {
    cwd: string;
    stack?: string;
    redacted?: string;
    policyPack: string[];
    policyPackConfig: string[];
    events?: string;
}

export const previewCommand: CliCommand = {
    name: "preview",
    summary: "Run pulumi preview, write a report, and keep one comment on the pull request up to date.",
    arguments: [new Argument("[arguments...]", "further arguments of pulumi preview, after --")],
    options: [
        new Option("-C, --cwd <folder>", "folder of the Pulumi program").default("."),
        new Option("-s, --stack <name>", "stack to preview (default: the selected one)"),
        new Option(
            "--redacted <folder>",
            "folder with the stack that redact-state wrote: the preview then needs neither secrets nor the backend",
        ),
        new Option("--policy-pack <path>", "policy pack to run (repeatable)").argParser(addTo).default([]),
        new Option("--policy-pack-config <file>", "configuration of the policy pack, in the same order (repeatable)")
            .argParser(addTo)
            .default([]),
        new Option("--events <file>", "keep the event log, so that preview-report can write the report in another job"),
        ...reportOptions,
    ],
    exitCodes: {
        0: "no objections",
        1: "a mandatory rule is broken or the preview failed",
        2: "wrong usage, or the comment could not be written",
        130: "Ctrl-C",
        143: "SIGTERM",
    },
    notes: "The token for the comment is read from GITHUB_TOKEN or GITLAB_TOKEN; neither is passed to the previewed program.",
    examples: [
        "static-export preview --stack production --policy-pack policy",
        "static-export preview --stack production --policy-pack policy --comment github -- --refresh",
        "static-export preview --stack production --redacted redacted",
    ],
    run: preview,
};

/** Runs the preview and writes its report and comment. Returns the exit code. */
async function preview(args: readonly string[], options: Options): Promise<number> {
    const { env } = process;
    const { cwd, stack, comment, policyPack: policyPacks, policyPackConfig: policyPackConfigs } = options;
    if (comment !== undefined && stack === undefined) {
        throw new UsageError("--comment needs --stack: the comment is identified by the name of the stack.");
    }
    if (options.redacted !== undefined && stack === undefined) {
        throw new UsageError("--redacted needs --stack: the name of the stack that was redacted.");
    }
    // Reads the comment's settings before the preview, so that a missing one is reported immediately.
    const store = comment && openComments(comment, env, options.pullRequest);
    const given = contextOf(options);
    const programEnv = { ...env };
    if (comment !== undefined) {
        tokenVariables.forEach((name) => delete programEnv[name]);
        // Hides this process's environment, because the previewed program could read the token in it.
        hideEnvironment();
    }
    const plain = { cwd, stack, policyPacks, policyPackConfigs, args, env: programEnv, events: options.events };
    const { log, exitCode, lastOutput, interruptedBy } = await (options.redacted === undefined || stack === undefined
        ? runPreview(plain)
        : previewRedacted({ ...plain, stack, redacted: options.redacted }));
    if (interruptedBy !== undefined) {
        console.error("The preview was interrupted: there is no report, and no comment was written.");
        return interruptedBy === "SIGINT" ? 130 : 143;
    }
    const missing = exitCode === 0 ? undefined : /no stack named '([\w./-]+)' found/.exec(lastOutput)?.[1];
    if (missing !== undefined) {
        console.error(
            "Correct --stack: pulumi stack ls lists the stacks of this backend. " +
                `For a new stack, run pulumi stack init ${missing} first.`,
        );
    }
    const lastWords = lastOutput.trim() || `pulumi preview ended with exit code ${exitCode}.`;
    const context = {
        project: findProject(cwd)?.name,
        stack: stack === undefined ? undefined : stackName(stack),
        ...given,
        failure: exitCode === 0 ? undefined : lastWords,
    };
    const named = { ...options, commit: options.commit ?? commitOf(env), folder: options.folder ?? findFolder(cwd) };
    return finishReport(createWritableReport(log, context, env), named, env, store);
}

async function previewRedacted(options: PreviewOptions & { stack: string; redacted: string }): Promise<PreviewRun> {
    const project = requireProject(options.cwd);
    const stack = stackName(options.stack);
    const run = await withRedactedStack({ ...options, stack, project }, ({ env, args }) =>
        runPreview({ ...options, stack, env, args: [...args, ...withoutRefresh(options.args)] }),
    );
    const advice = run.exitCode === 0 ? undefined : adviceOnReferences(run.lastOutput);
    if (advice !== undefined) {
        console.error(advice);
    }
    return run;
}

/**
 * The folder of the program in its repository, with forward slashes; empty for the root, or outside of a repository.
 */
function findFolder(cwd: string): string {
    const repository = findUpwards(cwd, [".git"]);
    return repository === undefined ? "" : relative(dirname(repository), resolve(cwd)).split(sep).join("/");
}
