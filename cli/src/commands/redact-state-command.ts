import { Argument, Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { addTo } from "../command-line/options.js";
import { redactState, type RedactStateOptions } from "../redaction/run-redact-state.js";

const notes = `
The state is what pulumi stack export prints ("-" reads it from standard input), or a checkpoint of a file backend,
gzipped or not. Secrets are read with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE, or are in plain text after
pulumi stack export --show-secrets; without either, only secrets of a known format can be replaced.

Written into the folder:
  state.json                  for pulumi stack import --file
  Pulumi.<stack>.yaml         the configuration with placeholders, with --config
  config-placeholders.json    for static-export redact-config
The placeholders in it are encrypted with the passphrase "redacted". The folder can be published.
`;

export const redactStateCommand: CliCommand = {
    name: "redact-state",
    summary: "Replace the secrets of a stack with placeholders, so that anybody can preview changes.",
    arguments: [new Argument("<state>", 'file with the state, or "-"')],
    options: [
        new Option("--out <folder>", "folder to write the result to").makeOptionMandatory(),
        new Option("--config <file>", "the stack's configuration, Pulumi.<stack>.yaml"),
        new Option("-s, --stack <name>", "use the configuration of this stack, if it has one, instead of --config"),
        new Option("-C, --cwd <folder>", "folder of the Pulumi program, for --stack").default("."),
        new Option(
            "--config-values <file>",
            "output of pulumi config --json --show-secrets, for stacks without a passphrase",
        ),
        new Option(
            "--keep-copies-of <secret>",
            "keep values that equal this short secret by chance; name the secret as the error does (repeatable)",
        )
            .argParser(addTo)
            .default([], "none"),
        new Option(
            "--replace-copies-of <secret>",
            "replace the copies of this short secret; name the secret as the error does (repeatable)",
        )
            .argParser(addTo)
            .default([], "none"),
        new Option("--strict", "fail if a text cannot be searched for secrets that nobody marked").default(false),
    ],
    exitCodes: { 0: "written", 2: "wrong usage, or something cannot be read or redacted: nothing was written" },
    notes,
    examples: ["pulumi stack export | static-export redact-state - --stack production --out redacted"],
    run: (state: string, options: RedactStateOptions) => redactState(state, options),
};
