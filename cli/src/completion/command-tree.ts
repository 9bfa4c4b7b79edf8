import { type Command } from "commander";

/** A command with the words that can follow it on the command line. */
export interface Completable {
    /** The words after `static-export`, such as `agent-job create`. */
    path: string;
    subcommands: Described[];
    options: CompletableOption[];
}

interface Described {
    name: string;
    description: string;
}

interface CompletableOption extends Described {
    takesValue: boolean;
    choices: readonly string[];
}

/**
 * Lists the commands that the program declares, so that nobody maintains a second list. `@bomb.sh/tab` (0.0.22),
 * omelette and tabtab are not used: their scripts start the command at every press of Tab, which takes 0.9 s of
 * CPU time on a busy machine. The scripts of this module contain all words instead.
 */
export function listCommands(command: Command, path = ""): Completable[] {
    const own: Completable = {
        path,
        subcommands: command.commands.map((each) => ({ name: each.name(), description: each.description() })),
        options: listOptions(command),
    };
    return [own, ...command.commands.flatMap((each) => listCommands(each, `${path} ${each.name()}`.trim()))];
}

function listOptions(command: Command): CompletableOption[] {
    return command
        .createHelp()
        .visibleOptions(command)
        .filter(({ long }) => long !== undefined)
        .map((option) => ({
            name: option.long!,
            description: option.description,
            takesValue: option.required || option.optional,
            choices: option.argChoices ?? [],
        }));
}
