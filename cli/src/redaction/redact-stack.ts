import { createHash } from "node:crypto";
import { UsageError } from "../command-line/usage-error.js";
import { ConfigurationSecrets, type ConfigurationValues } from "./configuration-secrets.js";
import { KnownSecrets } from "./known-secrets.js";
import { joinPath } from "./pulumi/marked-values.js";
import { OpaqueSecrets } from "./opaque-secrets.js";
import { PassphraseCrypter } from "./pulumi/passphrase-crypter.js";
import { Placeholders } from "./placeholders/placeholders.js";
import { redactDeployment } from "./redact-deployment.js";
import { SecretReader } from "./pulumi/secret-reader.js";
import { StackConfiguration } from "./stack-configuration.js";
import { resourcesOf } from "./pulumi/stack-resource.js";
import { type StateFile } from "./pulumi/state-file.js";

/** Encrypts only placeholders, so it need not be secret. */
export const throwAwayPassphrase = "redacted";

export interface StackToRedact {
    state: StateFile;
    /** The text of Pulumi.<stack>.yaml. */
    configuration?: string;
    /** The output of `pulumi config --json --show-secrets`, if the passphrase does not decrypt the configuration. */
    configurationValues?: ConfigurationValues;
    passphrase: string | undefined;
}

/** The placeholders for secrets of a stack's configuration, also for a version that a pull request has changed. */
export interface ConfigurationPlaceholders {
    encryptionsalt: string;
    /** By the SHA-256 of the encrypted secret. */
    secure: Record<string, string>;
    /** By the SHA-256 of the secret in plain text. */
    clear: Record<string, string>;
}

export interface RedactedStack {
    state: StateFile;
    configuration: string | undefined;
    configurationPlaceholders: ConfigurationPlaceholders;
    /** Names of secrets of unknown origin: their placeholders may show as a diff. */
    doubts: string[];
}

/**
 * Replaces all secrets of a stack with placeholders.
 *
 * @param crypter - what encrypts the placeholders
 * @throws UsageError that names what cannot be redacted
 */
export function redactStack(
    { state, configuration: text, configurationValues, passphrase }: StackToRedact,
    crypter = PassphraseCrypter.create(throwAwayPassphrase),
): RedactedStack {
    const reader = SecretReader.forProvider(state.deployment["secrets_providers"], passphrase);
    const configuration = text === undefined ? undefined : new StackConfiguration(text);
    const configurationReader = SecretReader.forSalt(configuration?.salt, passphrase);
    const configured = new ConfigurationSecrets(configuration, configurationReader, configurationValues);
    const placeholders = new Placeholders();

    const resources = resourcesOf(state.deployment);
    const known = new KnownSecrets();
    for (const secure of configuration?.secureValues ?? []) {
        known.addConfigured(configured.read(secure) ?? "");
    }
    configuration?.sensitiveValues.forEach(({ text }) => known.addConfigured(text));
    resources.forEach((resource) => known.addResource(resource, reader));

    const opaque = new OpaqueSecrets(resources, reader, configured, placeholders);
    const { deployment, doubts } = redactDeployment(state.deployment, { reader, known, opaque, placeholders, crypter });
    const replaced: ConfigurationPlaceholders = { encryptionsalt: crypter.salt, secure: {}, clear: {} };
    if (configuration !== undefined) {
        redactConfiguration(configuration, configured, placeholders, crypter, replaced);
    }
    const redacted = configuration?.write(crypter.salt);
    if (redacted !== undefined && known.occursIn(JSON.stringify(redacted))) {
        throw new UsageError("The stack's configuration holds a secret in a comment, or in the name of a setting.");
    }
    return { state: { ...state, deployment }, configuration: redacted, configurationPlaceholders: replaced, doubts };
}

function redactConfiguration(
    configuration: StackConfiguration,
    configured: ConfigurationSecrets,
    placeholders: Placeholders,
    crypter: PassphraseCrypter,
    replaced: ConfigurationPlaceholders,
): void {
    const unread: string[] = [];
    for (const secure of configuration.secureValues) {
        const text = configured.read(secure) ?? configured.identifyUnread(secure);
        if (text === undefined) {
            unread.push(secure.path.reduce(joinPath, ""));
            continue;
        }
        const placeholder = crypter.encrypt(placeholders.text(text));
        replaced.secure[digestOf(secure.ciphertext)] = placeholder;
        secure.replace(placeholder);
    }
    for (const { text, replace } of configuration.sensitiveValues) {
        const placeholder = placeholders.text(text);
        replaced.clear[digestOf(text)] = placeholder;
        replace(placeholder);
    }
    if (unread.length > 0) {
        throw new UsageError(
            `The stack's configuration cannot be redacted, because the format of ${unread.join(", ")} is not known. Set ` +
                "PULUMI_CONFIG_PASSPHRASE to the stack's passphrase, or pass the output of pulumi config --json --show-secrets " +
                "with --config-values.",
        );
    }
}

export function digestOf(text: string): string {
    return createHash("sha256").update(text).digest("hex");
}
