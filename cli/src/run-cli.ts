import { Command } from "commander";
import { declareCommand, usageExitCode } from "./command-line/cli-command.js";
import { readManifest } from "./command-line/package-manifest.js";
import { UsageError } from "./command-line/usage-error.js";
import { agentJobCommand } from "./commands/jobs/agent-job-command.js";
import { answerCommand } from "./commands/readers/answer-command.js";
import { mcpCommand } from "./commands/readers/mcp-command.js";
import { buildCommand } from "./commands/build-command.js";
import { compareCommand } from "./commands/compare-command.js";
import { cancelCommand } from "./commands/jobs/cancel-command.js";
import { completionCommand } from "./commands/completion-command.js";
import { devCommand } from "./commands/dev-command.js";
import { doctorCommand } from "./commands/doctor-command.js";
import { exportCommand } from "./commands/jobs/export-command.js";
import { fetchCommand } from "./commands/jobs/fetch-command.js";
import { historyCommand } from "./commands/jobs/history-command.js";
import { jobCommand } from "./commands/jobs/job-command.js";
import { initCommand } from "./commands/init-command.js";
import { keyCommand } from "./commands/key-command.js";
import { migrateCommand } from "./commands/service/migrate-command.js";
import { previewCommand } from "./commands/preview-command.js";
import { previewReportCommand } from "./commands/preview-report-command.js";
import { publishCommand } from "./commands/publish-command.js";
import { redactConfigCommand } from "./commands/redact-config-command.js";
import { redactStateCommand } from "./commands/redact-state-command.js";
import { updateCommand } from "./commands/jobs/update-command.js";
import { serveCommand } from "./commands/service/serve-command.js";
import { workCommand } from "./commands/service/work-command.js";

/** In the order of the help. */
const commands = [
    initCommand,
    serveCommand,
    workCommand,
    migrateCommand,
    keyCommand,
    devCommand,
    buildCommand,
    compareCommand,
    publishCommand,
    answerCommand,
    mcpCommand,
    doctorCommand,
    updateCommand,
    exportCommand,
    fetchCommand,
    jobCommand,
    historyCommand,
    cancelCommand,
    previewCommand,
    previewReportCommand,
    redactStateCommand,
    redactConfigCommand,
    agentJobCommand,
    completionCommand,
];

/**
 * Runs one command line. Errors that the user can fix are one sentence on stderr, with the exit code of wrong usage.
 */
export async function runCli(argv: readonly string[]): Promise<void> {
    const program = new Command("static-export")
        .description(
            "Export documentation sites, serve exports on this machine, and check what a pull request would export.",
        )
        .version(readManifest().version)
        .showHelpAfterError("(see static-export --help)")
        .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageExitCode))
        // A command may have its own --version.
        .enablePositionalOptions();
    commands.forEach((command) => program.addCommand(declareCommand(command)));
    for (const stream of [process.stdout, process.stderr]) {
        stream.on("error", endWithoutReader);
    }
    try {
        await program.parseAsync(argv);
    } catch (error) {
        if (error instanceof UsageError) {
            process.exitCode = usageExitCode;
            console.error(`error: ${error.message}`);
            return;
        }
        throw error;
    }
}

/** The reader has closed the output, as `head` does: exit without an error. */
function endWithoutReader(error: NodeJS.ErrnoException): void {
    if (error.code !== "EPIPE") {
        throw error;
    }
    process.exit();
}
