import { Argument, Command } from "commander";
import { exitAsCheck } from "../exit-as-check.js";
import { writeBashCompletion, writeZshCompletion } from "./bash.js";
import { listCommands } from "./command-tree.js";
import { writeFishCompletion } from "./fish.js";

const writers = { bash: writeBashCompletion, zsh: writeZshCompletion, fish: writeFishCompletion } as const;

const help = `
Examples, with static-export on the PATH:
  $ source <(static-export completion bash)
  $ source <(static-export completion zsh)
  $ static-export completion fish | source
`;

/** Prints a script that lets a shell complete the words of this command. */
export function createCompletionCommand(): Command {
    return exitAsCheck(new Command("completion"))
        .description("Print a script that completes commands and options in a shell.")
        .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(writers)))
        .addHelpText("after", help)
        .action((shell: keyof typeof writers, _options: unknown, command: Command) => {
            process.stdout.write(writers[shell](listCommands(command.parent!)));
        });
}
