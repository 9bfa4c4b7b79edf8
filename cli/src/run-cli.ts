import { Command } from "commander";
import { type CliCommand, declareCommand, usageExitCode } from "./command-line/cli-command.js";
import { noteOnLostBackslash } from "./command-line/lost-backslash.js";
import { readManifest } from "./command-line/package-manifest.js";
import { describeSystemError, findMissingParser } from "./command-line/system-error.js";
import { UsageError } from "./command-line/usage-error.js";

type Commands = Readonly<Record<string, () => Promise<CliCommand>>>;

/**
 * The commands by name, in the groups and the order of the help. Each command loads its own modules, because loading
 * all of them takes half the startup time of `dev`.
 */
const commandGroups: Readonly<Record<string, Commands>> = {
    "Start a project": {
        create: async () => (await import("./commands/create-command.js")).createCommand,
        init: async () => (await import("./commands/init-command.js")).initCommand,
    },
    "Write and check pages": {
        dev: async () => (await import("./commands/dev-command.js")).devCommand,
        build: async () => (await import("./commands/build-command.js")).buildCommand,
        compare: async () => (await import("./commands/compare-command.js")).compareCommand,
        pdf: async () => (await import("./commands/pdf-command.js")).pdfCommand,
    },
    "Publish pages": {
        publish: async () => (await import("./commands/publish-command.js")).publishCommand,
        clean: async () => (await import("./commands/clean-command.js")).cleanCommand,
        unpublish: async () => (await import("./commands/unpublish-command.js")).unpublishCommand,
        releases: async () => (await import("./commands/releases-command.js")).releasesCommand,
        answer: async () => (await import("./commands/answer-command.js")).answerCommand,
        mcp: async () => (await import("./commands/mcp-command.js")).mcpCommand,
    },
    "Pulumi projects": {
        doctor: async () => (await import("./commands/doctor-command.js")).doctorCommand,
        preview: async () => (await import("./commands/preview-command.js")).previewCommand,
        "preview-report": async () => (await import("./commands/preview-report-command.js")).previewReportCommand,
        "redact-state": async () => (await import("./commands/redact-state-command.js")).redactStateCommand,
        "redact-config": async () => (await import("./commands/redact-config-command.js")).redactConfigCommand,
    },
    "Run a service": {
        serve: async () => (await import("./commands/service/serve-command.js")).serveCommand,
        work: async () => (await import("./commands/service/work-command.js")).workCommand,
        migrate: async () => (await import("./commands/service/migrate-command.js")).migrateCommand,
        key: async () => (await import("./commands/key-command.js")).keyCommand,
        site: async () => (await import("./commands/site-command.js")).siteCommand,
    },
    "Use a service": {
        export: async () => (await import("./commands/jobs/export-command.js")).exportCommand,
        fetch: async () => (await import("./commands/jobs/fetch-command.js")).fetchCommand,
        job: async () => (await import("./commands/jobs/job-command.js")).jobCommand,
        history: async () => (await import("./commands/jobs/history-command.js")).historyCommand,
        cancel: async () => (await import("./commands/jobs/cancel-command.js")).cancelCommand,
        update: async () => (await import("./commands/jobs/update-command.js")).updateCommand,
        "agent-job": async () => (await import("./commands/jobs/agent-job-command.js")).agentJobCommand,
    },
    "This command": {
        completion: async () => (await import("./commands/completion-command.js")).completionCommand,
    },
};

export const commands: Commands = Object.assign({}, ...Object.values(commandGroups)) as Commands;

/** The text for a call without a command. */
const firstSteps = `static-export turns a folder of Markdown into a documentation site, and publishes it.

  static-export create                       start a project: it asks what you want to do
  static-export dev docs                     show the folder docs in a browser while you write
  static-export build docs --output site     write the site into the folder site, and list mistakes
  static-export doctor                       check this machine and the settings

static-export --help lists all commands, and static-export COMMAND --help explains one.`;

/**
 * Runs one command line. Reports errors that the user can fix as one sentence on stderr, with the exit code for wrong
 * usage.
 */
export async function runCli(argv: readonly string[]): Promise<void> {
    if (argv.length <= 2) {
        console.error(firstSteps);
        process.exitCode = usageExitCode;
        return;
    }
    if (argv[2] === "help") {
        return runCli([...argv.slice(0, 2), ...argv.slice(3), "--help"]);
    }
    const program = new Command("static-export")
        .description(
            "Export documentation sites, serve exports on this machine, and check what a pull request would export.",
        )
        .version(readManifest().version)
        .helpCommand(false)
        .showHelpAfterError("(see static-export --help)")
        .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageExitCode))
        // A command may have its own --version.
        .enablePositionalOptions();
    for (const command of await commandsFor(argv[2])) {
        program.addCommand(declareCommand(command).helpGroup(`${groupOf(command.name)}:`));
    }
    for (const stream of [process.stdout, process.stderr]) {
        stream.on("error", endWithoutReader);
    }
    process.on("uncaughtException", endWithUncaught);
    const note = noteOnLostBackslash(argv.slice(2));
    if (note !== undefined) {
        process.once("exit", (exitCode) => {
            if (exitCode === usageExitCode) {
                console.error(note);
            }
        });
    }
    try {
        await program.parseAsync(argv);
    } catch (error) {
        const parser = findMissingParser(error);
        const described = parser ? `${parser.fault}: ${parser.fix}` : describeSystemError(error);
        const message = error instanceof UsageError ? error.message : described;
        if (message === undefined) {
            throw error;
        }
        process.exitCode = usageExitCode;
        console.error(`error: ${message}`);
    }
}

function groupOf(name: string): string {
    const found = Object.entries(commandGroups).find(([, group]) => Object.hasOwn(group, name));
    return found?.[0] ?? "";
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
