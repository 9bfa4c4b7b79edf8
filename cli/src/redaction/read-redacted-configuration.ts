import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../command-line/usage-error.js";
import { redactConfiguration } from "./redact-configuration.js";
import { type ConfigurationPlaceholders } from "./redact-stack.js";

/** The file in the folder that `static-export redact-state` writes. */
export const placeholdersFile = "config-placeholders.json";

/**
 * The stack configuration in `file` with the placeholders of the redacted stack in the folder `redacted`. Warns about
 * secrets that the stack does not contain.
 *
 * @throws UsageError when a file is missing
 */
export function readRedactedConfiguration(file: string, redacted: string): string {
    const { configuration, unknown } = redactConfiguration(
        read(file),
        JSON.parse(read(join(redacted, placeholdersFile))) as ConfigurationPlaceholders,
    );
    for (const name of unknown) {
        console.error(
            `warning: ${name} is a secret that is missing from the redacted stack. Its placeholder is a plain ` +
                "string, and shows as a diff.",
        );
    }
    return configuration;
}

function read(file: string): string {
    try {
        return readFileSync(file, "utf8");
    } catch {
        throw new UsageError(`There is no file ${file}.`);
    }
}
