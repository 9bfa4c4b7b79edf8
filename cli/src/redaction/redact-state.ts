import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type ConfigurationValues, readStateFile, redactStack } from "./index.js";
import { UsageError } from "../command-line/usage-error.js";

export interface RedactStateOptions {
    out: string;
    config?: string;
    configValues?: string;
}

/** Writes the redacted state and configuration. If anything cannot be redacted, writes nothing. */
export function redactState(stateFile: string, { out, config, configValues }: RedactStateOptions): void {
    const redacted = redactStack({
        state: readStateFile(readInput(stateFile)),
        ...(config === undefined ? {} : { configuration: readInput(config).toString("utf8") }),
        ...(configValues === undefined ? {} : { configurationValues: readValues(configValues) }),
        passphrase: readPassphrase(process.env),
    });
    mkdirSync(out, { recursive: true });
    const write = (name: string, text: string) => writeFileSync(join(out, name), text);
    write("state.json", toText(redacted.state));
    write("config-placeholders.json", toText(redacted.configurationPlaceholders));
    if (config !== undefined && redacted.configuration !== undefined) {
        write(basename(config), redacted.configuration);
    }
    for (const doubt of redacted.doubts) {
        console.error(
            `warning: ${doubt} is a secret that comes neither from the stack's configuration nor from another ` +
                "resource. Its placeholder may show as a diff.",
        );
    }
    console.log(`Wrote the redacted stack to ${out}. Its passphrase is "redacted".`);
}

function readInput(file: string): Buffer {
    if (file !== "-" && !existsSync(file)) {
        throw new UsageError(`There is no file ${file}.`);
    }
    return readFileSync(file === "-" ? 0 : file);
}

function readValues(file: string): ConfigurationValues {
    try {
        return JSON.parse(readInput(file).toString("utf8")) as ConfigurationValues;
    } catch (error) {
        // Without the parser's message, which quotes the text.
        throw error instanceof UsageError ? error : new UsageError(`${file} is not JSON.`);
    }
}

function readPassphrase(env: NodeJS.ProcessEnv): string | undefined {
    const { PULUMI_CONFIG_PASSPHRASE: passphrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = env;
    // Like Pulumi, an empty variable means an empty passphrase.
    return passphrase ?? (file === undefined ? undefined : readInput(file).toString("utf8").trim());
}

function toText(value: unknown): string {
    return `${JSON.stringify(value, undefined, 2)}\n`;
}
