import { Argument, Option } from "commander";
import { writeFileSync } from "node:fs";
import { type CliCommand } from "../command-line/cli-command.js";
import { readRedactedConfiguration } from "../redaction/read-redacted-configuration.js";

export const redactConfigCommand: CliCommand = {
    name: "redact-config",
    summary: "Replace the secrets in a pull request's stack configuration with placeholders.",
    arguments: [new Argument("<file>", "the stack's configuration, Pulumi.<stack>.yaml, changed in place")],
    options: [new Option("--from <folder>", "folder written by static-export redact-state").makeOptionMandatory()],
    exitCodes: { 0: "changed", 2: "wrong usage, or a file is missing or invalid" },
    run: redactConfig,
};

function redactConfig(file: string, { from }: { from: string }): void {
    writeFileSync(file, readRedactedConfiguration(file, from));
}
