import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { readStateFile } from "./pulumi/state-file.js";
import { redactStack } from "./redact-stack.js";
import { type ConfigurationValues } from "./secrets/configuration-secrets.js";
import { UsageError } from "../command-line/usage-error.js";
import { configurationOf, requireProject } from "../project/pulumi-project.js";

export interface RedactStateOptions {
    out: string;
    config?: string;
    stack?: string;
    cwd: string;
    configValues?: string;
    keepCopiesOf: string[];
    replaceCopiesOf: string[];
    strict: boolean;
}

const notCovered =
    "Not covered: unmarked secrets whose format and name this command does not know, and names of properties inside " +
    "secrets.";
const digests =
    "Not covered: digests, from which a short or common value can be guessed. They are the digests of archives " +
    "with a replaced file and, in config-placeholders.json, those of plain-text settings that contained a secret.";
const notRead =
    "Not covered: plain-text copies of secrets that could not be decrypted. Set PULUMI_CONFIG_PASSPHRASE to find them.";

/** Writes the redacted state and configuration. If anything cannot be redacted, writes nothing. */
export async function redactState(stateFile: string, options: RedactStateOptions): Promise<void> {
    const { out, configValues, keepCopiesOf, replaceCopiesOf, strict } = options;
    const config = options.config ?? findConfiguration(options);
    const redacted = redactStack({
        state: readStateFile(await readInput(stateFile)),
        ...(config === undefined ? {} : { configuration: (await readInput(config)).toString("utf8") }),
        ...(configValues === undefined ? {} : { configurationValues: await readValues(configValues) }),
        passphrase: readPassphrase(process.env),
        choices: { keepCopiesOf, replaceCopiesOf },
    });
    if (strict && redacted.unread.length > 0) {
        throw new UsageError(
            `These texts cannot be searched for secrets:${redacted.unread.map((each) => `\n  - ${each}`).join("")}`,
        );
    }
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
    for (const place of redacted.unread) {
        console.error(`warning: ${place} was not searched for secrets that nobody marked. --strict refuses such text.`);
    }
    for (const place of redacted.unmarked) {
        console.log(`Replaced, although nobody marked it as a secret: ${place}.`);
    }
    console.log(`Wrote the redacted stack to ${out}. Its passphrase is "redacted".`);
    console.log(notCovered);
    console.log(digests);
    if (!redacted.isRead) {
        console.log(notRead);
    }
}

function findConfiguration({ stack, cwd }: RedactStateOptions): string | undefined {
    const file = stack === undefined ? undefined : configurationOf(requireProject(cwd), stack);
    if (file !== undefined && !existsSync(file)) {
        console.log(`The stack has no configuration: there is no file ${file}.`);
        return undefined;
    }
    return file;
}

/** Standard input may be a pipe that does not block, where a synchronous read fails until there is data. */
async function readInput(file: string): Promise<Buffer> {
    return file === "-" ? buffer(process.stdin) : readFile(file);
}

function readFile(file: string): Buffer {
    if (!existsSync(file)) {
        throw new UsageError(`There is no file ${file}.`);
    }
    return readFileSync(file);
}

async function readValues(file: string): Promise<ConfigurationValues> {
    try {
        return JSON.parse((await readInput(file)).toString("utf8")) as ConfigurationValues;
    } catch (error) {
        // Excludes the parser's message, which quotes the text.
        throw error instanceof UsageError ? error : new UsageError(`${file} is not JSON.`);
    }
}

function readPassphrase(env: NodeJS.ProcessEnv): string | undefined {
    const { PULUMI_CONFIG_PASSPHRASE: passphrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = env;
    // As in Pulumi, an empty variable means an empty passphrase.
    return passphrase ?? (file === undefined ? undefined : readFile(file).toString("utf8").trim());
}

function toText(value: unknown): string {
    return `${JSON.stringify(value, undefined, 2)}\n`;
}
