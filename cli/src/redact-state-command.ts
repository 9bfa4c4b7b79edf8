import { Command } from "commander";
import { redactState, type RedactStateOptions } from "./redact-state.js";

const help = `
The state is what pulumi stack export prints ("-" reads it from standard input), or a checkpoint of a file backend,
gzipped or not. Secrets are read with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE, or stand in clear after
pulumi stack export --show-secrets; without either, only those whose shape is known can be replaced.

Written into the folder:
  state.json                  for pulumi stack import --file
  Pulumi.<stack>.yaml         the configuration with placeholders, where --config is given
  config-placeholders.json    for static-export redact-config
Everything in it is encrypted with the passphrase "redacted", and may be read by everybody.

Example:
  $ pulumi stack export | static-export redact-state - --config Pulumi.production.yaml --out redacted
`;

export function createRedactStateCommand(): Command {
    return new Command("redact-state")
        .description("Replace the secrets of a stack by placeholders, so that anybody can preview what would change.")
        .argument("<state>", 'file with the state, or "-"')
        .requiredOption("--out <folder>", "where to write what was redacted")
        .option("--config <file>", "the stack's configuration, Pulumi.<stack>.yaml")
        .option(
            "--config-values <file>",
            "what pulumi config --json --show-secrets prints, for stacks without passphrase",
        )
        .showHelpAfterError("(see static-export redact-state --help)")
        .addHelpText("after", help)
        .action((state: string, options: RedactStateOptions) => redactState(state, options));
}
