import { Command } from "commander";
import { readFileSync } from "node:fs";
import { createAgentJobCommand } from "./agent-job-command.js";
import { usageExitCode } from "./exit-as-check.js";
import { createBuildCommand } from "./build/build-command.js";
import { createCompletionCommand } from "./completion/completion-command.js";
import { createDoctorCommand } from "./doctor/doctor-command.js";
import { createExportCommand } from "./export/export-command.js";
import { createFetchCommand } from "./export/fetch-command.js";
import { createJobCommand } from "./export/job-command.js";
import { createPreviewCommand } from "./preview-command.js";
import { createPreviewReportCommand } from "./preview-report-command.js";
import { createRedactConfigCommand } from "./redact-config-command.js";
import { createRedactStateCommand } from "./redact-state-command.js";
import { createServeCommand } from "./serve-command.js";
import { UsageError } from "./usage-error.js";

/** Commands whose exit code 1 is a verdict, so that wrong usage needs another one. */
const checks = ["agent-job", "build", "completion", "doctor", "export", "fetch", "job", "preview", "preview-report"];

/**
 * Runs one command line. Errors that the user can fix are one sentence on stderr, with exit code 1, or 2 if 1 is a
 * verdict.
 */
export async function runCli(argv: readonly string[]): Promise<void> {
    const program = new Command("static-export")
        .description(
            "Export documentation sites, serve exports on this machine, and check what a pull request would export.",
        )
        .version(packageVersion())
        .showHelpAfterError("(see static-export --help)")
        // A command may have a --version of its own.
        .enablePositionalOptions()
        .addCommand(createServeCommand())
        .addCommand(createBuildCommand())
        .addCommand(createDoctorCommand())
        .addCommand(createExportCommand())
        .addCommand(createFetchCommand())
        .addCommand(createJobCommand())
        .addCommand(createPreviewCommand())
        .addCommand(createPreviewReportCommand())
        .addCommand(createRedactStateCommand())
        .addCommand(createRedactConfigCommand())
        .addCommand(createAgentJobCommand())
        .addCommand(createCompletionCommand());
    for (const stream of [process.stdout, process.stderr]) {
        stream.on("error", endWithoutReader);
    }
    try {
        await program.parseAsync(argv);
    } catch (error) {
        process.exitCode = checks.includes(argv[2] ?? "") ? usageExitCode : 1;
        if (error instanceof UsageError) {
            console.error(`error: ${error.message}`);
            return;
        }
        throw error;
    }
}

/** The reader of the output has closed it, as `head` does: exit without an error. */
function endWithoutReader(error: NodeJS.ErrnoException): void {
    if (error.code !== "EPIPE") {
        throw error;
    }
    process.exit();
}

function packageVersion(): string {
    const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
    return (JSON.parse(manifest) as { version: string }).version;
}
