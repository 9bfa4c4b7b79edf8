import { type Argument, Command, type Option } from "commander";

/**
 * One command of `static-export`: its arguments, its action, and the meaning of its exit codes. The command's help, its
 * completion and the exit code for wrong usage are derived from this declaration.
 */
export interface CliCommand {
    readonly name: string;
    /** One sentence for the list of commands. */
    readonly summary: string;
    readonly arguments?: readonly Argument[];
    readonly options?: readonly Option[];
    /** Every command also exits with 2 for wrong usage, even if this list does not contain 2. */
    readonly exitCodes: ExitCodes;
    readonly notes?: string;
    /** Examples of command lines, without the prompt. */
    readonly examples?: readonly string[];
    readonly subcommands?: readonly CliCommand[];
    /**
     * Receives the values of the arguments, the options and commander's command. Returns the exit code, if it is not 0.
     */
    run?(...values: never[]): Promise<number | void> | number | void;
}

/** The meaning of each exit code. */
export type ExitCodes = Readonly<Record<number, string>>;

/**
 * The exit code for wrong usage and settings. Scripts can distinguish this code from exit code 1, which is a verdict.
 */
export const usageExitCode = 2;

/** Creates the command that commander runs. */
export function declareCommand(declared: CliCommand, parents = "static-export"): Command {
    const { name, summary, run, subcommands = [] } = declared;
    const path = `${parents} ${name}`;
    const command = new Command(name)
        .description(summary)
        .showHelpAfterError(`(see ${path} --help)`)
        .addHelpText("after", () => describeRest(declared))
        .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageExitCode));
    declared.arguments?.forEach((argument) => command.addArgument(argument));
    declared.options?.forEach((option) => command.addOption(option));
    subcommands.forEach((each) => command.addCommand(declareCommand(each, path)));
    if (run !== undefined) {
        command.action(async (...values: unknown[]) => {
            const exitCode = await (run as (...values: unknown[]) => unknown)(...values);
            if (typeof exitCode === "number") {
                process.exitCode = exitCode;
            }
        });
    }
    return command;
}

/** The parts of the help that commander does not write. */
function describeRest({ exitCodes, notes = "", examples = [] }: CliCommand): string {
    const allCodes = { [usageExitCode]: "wrong usage or settings", ...exitCodes };
    const codes = Object.entries(allCodes).map(([code, meaning]) => `  ${code.padEnd(3)} ${meaning}`);
    const sections = [
        notes,
        ["Exit codes:", ...codes].join("\n"),
        examples.length === 0 ? "" : ["Examples:", ...examples.map((example) => `  $ ${example}`)].join("\n"),
    ];
    return sections
        .filter((section) => section !== "")
        .map((section) => `\n${section.trim()}\n`)
        .join("");
}
