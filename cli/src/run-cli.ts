import { Command } from "commander";
import { type CliCommand, declareCommand, usageExitCode } from "./command-line/cli-command.js";
import { readManifest } from "./command-line/package-manifest.js";
import { describeSystemError } from "./command-line/system-error.js";
import { UsageError } from "./command-line/usage-error.js";

/**
 * The commands by name, in the order of the help. Each command loads its own modules, because loading all of them takes
 * half the startup time of `dev`.
 */
export const commands: Readonly<Record<string, () => Promise<CliCommand>>> = {
    init: async () => (await import("./commands/init-command.js")).initCommand,
    serve: async () => (await import("./commands/service/serve-command.js")).serveCommand,
    work: async () => (await import("./commands/service/work-command.js")).workCommand,
    migrate: async () => (await import("./commands/service/migrate-command.js")).migrateCommand,
    key: async () => (await import("./commands/key-command.js")).keyCommand,
    site: async () => (await import("./commands/site-command.js")).siteCommand,
    dev: async () => (await import("./commands/dev-command.js")).devCommand,
    build: async () => (await import("./commands/build-command.js")).buildCommand,
    compare: async () => (await import("./commands/compare-command.js")).compareCommand,
    publish: async () => (await import("./commands/publish-command.js")).publishCommand,
    releases: async () => (await import("./commands/releases-command.js")).releasesCommand,
    answer: async () => (await import("./commands/readers/answer-command.js")).answerCommand,
    mcp: async () => (await import("./commands/readers/mcp-command.js")).mcpCommand,
    pdf: async () => (await import("./commands/readers/pdf-command.js")).pdfCommand,
    doctor: async () => (await import("./commands/doctor-command.js")).doctorCommand,
    update: async () => (await import("./commands/jobs/update-command.js")).updateCommand,
    export: async () => (await import("./commands/jobs/export-command.js")).exportCommand,
    fetch: async () => (await import("./commands/jobs/fetch-command.js")).fetchCommand,
    job: async () => (await import("./commands/jobs/job-command.js")).jobCommand,
    history: async () => (await import("./commands/jobs/history-command.js")).historyCommand,
    cancel: async () => (await import("./commands/jobs/cancel-command.js")).cancelCommand,
    preview: async () => (await import("./commands/preview-command.js")).previewCommand,
    "preview-report": async () => (await import("./commands/preview-report-command.js")).previewReportCommand,
    "redact-state": async () => (await import("./commands/redact-state-command.js")).redactStateCommand,
    "redact-config": async () => (await import("./commands/redact-config-command.js")).redactConfigCommand,
    "agent-job": async () => (await import("./commands/jobs/agent-job-command.js")).agentJobCommand,
    completion: async () => (await import("./commands/completion-command.js")).completionCommand,
};

/**
 * Runs one command line. Reports errors that the user can fix as one sentence on stderr, with the exit code for wrong
 * usage.
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
    for (const command of await commandsFor(argv[2])) {
        program.addCommand(declareCommand(command));
    }
    for (const stream of [process.stdout, process.stderr]) {
        stream.on("error", endWithoutReader);
    }
    process.on("uncaughtException", endWithUncaught);
    try {
        await program.parseAsync(argv);
    } catch (error) {
        const message = error instanceof UsageError ? error.message : describeSystemError(error);
        if (message === undefined) {
            throw error;
        }
        process.exitCode = usageExitCode;
        console.error(`error: ${message}`);
    }
}

/** Ends the process as Node.js does, but describes an error of the file system in one sentence. */
function endWithUncaught(error: unknown): void {
    const message = describeSystemError(error);
    console.error(message === undefined ? error : `error: ${message}`);
    process.exit(message === undefined ? 1 : usageExitCode);
}

/** @returns the command with this name, or all commands for the help and the completion */
async function commandsFor(name = ""): Promise<CliCommand[]> {
    const load = name === "completion" || !Object.hasOwn(commands, name) ? undefined : commands[name];
    return load === undefined ? Promise.all(Object.values(commands).map((each) => each())) : [await load()];
}

/** Exits without an error if the reader of the output, such as `head`, has closed it. */
function endWithoutReader(error: NodeJS.ErrnoException): void {
    if (error.code !== "EPIPE") {
        throw error;
    }
    process.exit();
}
