import { type Command } from "commander";

/** The exit code for wrong usage of commands whose exit code 1 is a verdict. */
export const usageExitCode = 2;

/** Makes a command exit with 2 for wrong arguments. */
export function exitAsCheck(command: Command): Command {
    return command
        .showHelpAfterError(`(see static-export ${command.name()} --help)`)
        .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageExitCode));
}
