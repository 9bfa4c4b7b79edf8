import { Command } from "commander";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConfigurationPlaceholders, redactConfiguration } from "./redaction/index.js";
import { UsageError } from "./usage-error.js";

export function createRedactConfigCommand(): Command {
    return new Command("redact-config")
        .description("Replace the secrets in a pull request's stack configuration with placeholders.")
        .argument("<file>", "the stack's configuration, Pulumi.<stack>.yaml, changed in place")
        .requiredOption("--from <folder>", "folder written by static-export redact-state")
        .showHelpAfterError("(see static-export redact-config --help)")
        .action((file: string, { from }: { from: string }) => {
            const placeholders = join(from, "config-placeholders.json");
            const { configuration, unknown } = redactConfiguration(
                read(file),
                JSON.parse(read(placeholders)) as ConfigurationPlaceholders,
            );
            writeFileSync(file, configuration);
            for (const name of unknown) {
                console.error(
                    `warning: ${name} is a secret that the redacted stack does not have. Its placeholder is a plain ` +
                        "string, and shows as a diff.",
                );
            }
        });
}

function read(file: string): string {
    try {
        return readFileSync(file, "utf8");
    } catch {
        throw new UsageError(`There is no file ${file}.`);
    }
}
