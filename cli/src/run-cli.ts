import { Command } from "commander";
import { readFileSync } from "node:fs";
import { createServeCommand } from "./serve-command.js";
import { UsageError } from "./usage-error.js";

/** Runs one command line. What the user can mend is told in a sentence, on stderr, with exit code 1. */
export async function runCli(argv: readonly string[]): Promise<void> {
    const program = new Command("static-export")
        .description("Run the documentation static export service on this machine.")
        .version(packageVersion())
        .showHelpAfterError("(see static-export --help)")
        .addCommand(createServeCommand());
    try {
        await program.parseAsync(argv);
    } catch (error) {
        process.exitCode = 1;
        if (error instanceof UsageError) {
            console.error(`error: ${error.message}`);
            return;
        }
        throw error;
    }
}

function packageVersion(): string {
    const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
    return (JSON.parse(manifest) as { version: string }).version;
}
