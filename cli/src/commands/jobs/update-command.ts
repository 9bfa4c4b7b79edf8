import { Argument, Option } from "commander";
import { type CliCommand } from "../../command-line/cli-command.js";
import { clientNotes, readCommit, readSeconds } from "../../command-line/options.js";
import { jobExitCodes, jobOptions } from "../../export/job-options.js";
import { runUpdate, type UpdateOptions } from "../../update/run-update.js";

/** Publishes pushed changes without Pulumi. */
export const updateCommand: CliCommand = {
    name: "update",
    summary: "Publish the latest push: start a documentation update, and with --wait, wait for its end.",
    arguments: [new Argument("<project>", "the id of the project (for the self-hosted service, the site's domain)")],
    options: [
        ...jobOptions,
        new Option("--wait", "wait until the update has ended"),
        new Option("--commit <sha>", "wait, and fail unless this commit was published").argParser(readCommit),
        new Option("--preview <branch>", "preview this branch instead, under its own address").conflicts("status"),
        new Option("--status <id>", "wait for an update that has already started, instead of starting one"),
        new Option("--timeout-seconds <seconds>", "how long to wait").argParser(readSeconds).default(3600),
    ],
    exitCodes: {
        ...jobExitCodes,
        0: "started, or with --wait: published, or without --commit skipped by the site's build",
        1: "the update failed, or with --commit: another commit or none was published",
    },
    notes: clientNotes,
    examples: [
        "static-export update docs.example.com --wait",
        "static-export update docs --commit 4f2a9c1",
        "static-export update docs --status du_42",
        "static-export update docs.example.com --preview draft --wait",
    ],
    run: (project: string, options: UpdateOptions) => runUpdate(project, options),
};
