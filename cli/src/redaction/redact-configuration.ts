import { joinPath } from "./pulumi/marked-values.js";
import { PassphraseCrypter } from "./pulumi/passphrase-crypter.js";
import { Placeholders } from "./placeholders/placeholders.js";
import { type ConfigurationPlaceholders, digestOf, throwAwayPassphrase } from "./redact-stack.js";
import { StackConfiguration } from "./secrets/stack-configuration.js";

/**
 * Replaces the secrets in a configuration with the placeholders of a redacted stack. The configuration may have
 * changed, as in a pull request. An unchanged secret gets its placeholder. Any other secret gets a plain string, which
 * shows as a diff.
 *
 * @returns the text of the file, and the secrets that are new
 */
export function redactConfiguration(
    text: string,
    { encryptionsalt, secure, clear }: ConfigurationPlaceholders,
): { configuration: string; unknown: string[] } {
    const configuration = new StackConfiguration(text);
    const crypter = PassphraseCrypter.open(throwAwayPassphrase, encryptionsalt);
    const placeholders = new Placeholders();
    const unknown: string[] = [];
    for (const { path, ciphertext, replace } of configuration.secureValues) {
        const placeholder = secure[digestOf(ciphertext)];
        if (placeholder === undefined) {
            unknown.push(path.reduce(joinPath, ""));
        }
        replace(placeholder ?? crypter?.encrypt(`new-${placeholders.nextName()}`) ?? "");
    }
    for (const { text, withSecrets, replace } of configuration.sensitiveValues) {
        replace(clear[digestOf(text)] ?? withSecrets((secret) => placeholders.text(secret)));
    }
    for (const { text, replace } of configuration.plainValues) {
        const placeholder = clear[digestOf(text)];
        if (placeholder !== undefined) {
            replace(placeholder);
        }
    }
    return { configuration: configuration.write(encryptionsalt), unknown };
}
