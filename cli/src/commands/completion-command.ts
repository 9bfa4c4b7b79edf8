import { Argument, type Command } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { writeBashCompletion, writeZshCompletion } from "../completion/bash.js";
import { listCommands } from "../completion/command-tree.js";
import { writeFishCompletion } from "../completion/fish.js";

const writers = { bash: writeBashCompletion, zsh: writeZshCompletion, fish: writeFishCompletion } as const;

/** Prints a script that lets a shell complete the words of this command. */
export const completionCommand: CliCommand = {
    name: "completion",
    summary: "Print a script that completes commands and options in a shell.",
    arguments: [new Argument("<shell>", "the shell").choices(Object.keys(writers))],
    exitCodes: { 0: "printed" },
    notes: "The examples need static-export on the PATH.",
    examples: [
        "source <(static-export completion bash)",
        "source <(static-export completion zsh)",
        "static-export completion fish | source",
    ],
    run: (shell: keyof typeof writers, _options: unknown, command: Command) => {
        process.stdout.write(writers[shell](listCommands(command.parent!)));
    },
};
