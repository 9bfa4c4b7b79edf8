import { type Command } from "commander";

/** The exit code of a command line that is wrong, where 1 says something about what was checked. */
export const usageExitCode = 2;

/** Makes a command end with 2 for wrong arguments. */
export function exitAsCheck(command: Command): Command {
    return command
        .showHelpAfterError(`(see static-export ${command.name()} --help)`)
        .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageExitCode));
}
