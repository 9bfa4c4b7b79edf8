import { Command } from "commander";
import { redactState, type RedactStateOptions } from "./redact-state.js";

const help = `
The state is what pulumi stack export prints ("-" reads it from standard input), or a checkpoint of a file backend,
gzipped or not. Secrets are read with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE, or are in plain text after
pulumi stack export --show-secrets; without either, only secrets of a known format can be replaced.

Written into the folder:
  state.json                  for pulumi stack import --file
  Pulumi.<stack>.yaml         the configuration with placeholders, with --config
  config-placeholders.json    for static-export redact-config
The placeholders in it are encrypted with the passphrase "redacted". The folder can be published.

Example:
  $ pulumi stack export | static-export redact-state - --config Pulumi.production.yaml --out redacted
`;

export function createRedactStateCommand(): Command {
    return new Command("redact-state")
        .description("Replace the secrets of a stack with placeholders, so that anybody can preview changes.")
        .argument("<state>", 'file with the state, or "-"')
        .requiredOption("--out <folder>", "folder to write the result to")
        .option("--config <file>", "the stack's configuration, Pulumi.<stack>.yaml")
        .option(
            "--config-values <file>",
            "output of pulumi config --json --show-secrets, for stacks without passphrase",
        )
        .showHelpAfterError("(see static-export redact-state --help)")
        .addHelpText("after", help)
        .action((state: string, options: RedactStateOptions) => redactState(state, options));
}
