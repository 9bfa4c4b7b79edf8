import { Argument, Option } from "commander";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliCommand } from "../command-line/cli-command.js";
import { UsageError } from "../command-line/usage-error.js";
import { type ConfigurationPlaceholders, redactConfiguration } from "../redaction/index.js";

export const redactConfigCommand: CliCommand = {
    name: "redact-config",
    summary: "Replace the secrets in a pull request's stack configuration with placeholders.",
    arguments: [new Argument("<file>", "the stack's configuration, Pulumi.<stack>.yaml, changed in place")],
    options: [new Option("--from <folder>", "folder written by static-export redact-state").makeOptionMandatory()],
    exitCodes: { 0: "changed", 2: "wrong usage, or a file is missing or invalid" },
    run: redactConfig,
};

function redactConfig(file: string, { from }: { from: string }): void {
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
}

function read(file: string): string {
    try {
        return readFileSync(file, "utf8");
    } catch {
        throw new UsageError(`There is no file ${file}.`);
    }
}
