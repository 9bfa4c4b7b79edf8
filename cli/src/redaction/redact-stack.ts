import { createHash } from "node:crypto";
import { UsageError } from "../command-line/usage-error.js";
import { type CopyChoices, CopyReplacer, noChoices } from "./copies/copy-replacer.js";
import { isDistinctive } from "./copies/is-distinctive.js";
import { ConfigurationSecrets, type ConfigurationValues } from "./secrets/configuration-secrets.js";
import { KnownSecrets } from "./secrets/known-secrets.js";
import { joinPath } from "./pulumi/marked-values.js";
import { OpaqueSecrets } from "./secrets/opaque-secrets.js";
import { PassphraseCrypter } from "./pulumi/passphrase-crypter.js";
import { Placeholders } from "./placeholders/placeholders.js";
import { redactDeployment } from "./redact-deployment.js";
import { type RedactionTools } from "./redact-properties.js";
import { SecretReader } from "./pulumi/secret-reader.js";
import { StackConfiguration } from "./secrets/stack-configuration.js";
import { resourcesOf } from "./pulumi/stack-resource.js";
import { type StateFile } from "./pulumi/state-file.js";
import { knownTokens, withoutTokens } from "./text/token-formats.js";

const maxShownPlaces = 10;

/** The passphrase encrypts only placeholders, so it need not be secret. */
export const throwAwayPassphrase = "redacted";

export interface StackToRedact {
    state: StateFile;
    /** The text of Pulumi.<stack>.yaml. */
    configuration?: string;
    /** The output of `pulumi config --json --show-secrets`, if the passphrase does not decrypt the configuration. */
    configurationValues?: ConfigurationValues;
    passphrase: string | undefined;
    /**
     * How to treat strings that equal a secret but may be unrelated to it. By default, the error names these strings.
     */
    choices?: CopyChoices;
}

/**
 * The placeholders for the secrets of a stack's configuration, even if a pull request has changed the configuration.
 */
export interface ConfigurationPlaceholders {
    encryptionsalt: string;
    /** Keyed by the SHA-256 of the encrypted secret. */
    secure: Record<string, string>;
    /** Keyed by the SHA-256 of the secret in plain text. */
    clear: Record<string, string>;
}

export interface RedactedStack {
    state: StateFile;
    configuration: string | undefined;
    configurationPlaceholders: ConfigurationPlaceholders;
    /** Names of secrets of unknown origin: their placeholders may show as a diff. */
    doubts: string[];
    /** Strings that were replaced although they were not marked as a secret. */
    unmarked: string[];
    /** Properties with text that cannot be searched for secrets. */
    unread: string[];
    /** Whether all secrets were decrypted. Plain-text copies of secrets that were not decrypted are not found. */
    isRead: boolean;
}

/**
 * Replaces all secrets of a stack with placeholders.
 *
 * @param crypter - encrypts the placeholders
 * @throws UsageError that names what cannot be redacted
 */
export function redactStack(
    { state, configuration: text, configurationValues, passphrase, choices = noChoices }: StackToRedact,
    crypter = PassphraseCrypter.create(throwAwayPassphrase),
): RedactedStack {
    const reader = SecretReader.forProvider(state.deployment["secrets_providers"], passphrase);
    const configuration = text === undefined ? undefined : new StackConfiguration(text);
    const configurationReader = SecretReader.forSalt(configuration?.salt, passphrase);
    const configured = new ConfigurationSecrets(configuration, configurationReader, configurationValues);
    const resources = resourcesOf(state.deployment);
    const known = new KnownSecrets();
    for (const secure of configuration?.secureValues ?? []) {
        known.addConfigured(configured.read(secure) ?? "", nameOfSetting(secure.path), true);
    }
    for (const { path, secrets } of configuration?.sensitiveValues ?? []) {
        secrets.forEach((secret) => known.addConfigured(secret, nameOfSetting(path), false));
    }
    resources.forEach((resource) => known.addResource(resource, reader));
    known.addUnmarked(resources);

    const placeholders = new Placeholders((each) => known.has(each) && isDistinctive(each));
    const copies = new CopyReplacer(known.places, choices, (secret) => placeholders.text(secret));
    const opaque = new OpaqueSecrets(resources, reader, configured, placeholders);
    const tools = { reader, known, copies, opaque, placeholders, crypter };
    const { deployment, notes } = redactDeployment(state.deployment, tools);
    const replaced: ConfigurationPlaceholders = { encryptionsalt: crypter.salt, secure: {}, clear: {} };
    if (configuration !== undefined) {
        replaceConfiguredSecrets(
            configuration,
            configured,
            { copies, placeholders, crypter },
            replaced,
            notes.refusals,
        );
    }
    const redacted = configuration?.write(crypter.salt);
    const [leftover] = copies.secretsIn(redacted ?? "");
    if (leftover !== undefined) {
        notes.refusals.add(
            "the configuration holds a secret in a comment, or in the name of a setting. The secret is marked at: " +
                `${copies.nameOf(leftover)}`,
        );
    } else if (redacted !== undefined && knownTokens(redacted).length > 0) {
        notes.refusals.add("the configuration holds a key in a comment, or in the name of a setting: remove it");
    }
    refuse(notes.refusals, copies.ambiguous);
    return {
        state: { ...state, deployment },
        configuration: redacted,
        configurationPlaceholders: replaced,
        doubts: [...notes.doubts],
        unmarked: [...notes.unmarked],
        unread: [...notes.unread],
        isRead: opaque.isUnused,
    };
}

function nameOfSetting(path: readonly string[]): string {
    return `setting ${path.reduce(joinPath, "")}`;
}

/** @throws UsageError if there are refusals */
function refuse(refusals: ReadonlySet<string>, ambiguous: ReadonlyMap<string, ReadonlySet<string>>): void {
    const reasons = [...refusals];
    for (const [secret, places] of ambiguous) {
        const shown = [...places].slice(0, maxShownPlaces).join("; ");
        const rest = places.size > maxShownPlaces ? `; and ${places.size - maxShownPlaces} more` : "";
        reasons.push(
            `the secret marked at "${secret}" is short or common, so these may contain copies of it, or happen to be ` +
                `equal: ${shown}${rest}. Pass --replace-copies-of ${JSON.stringify(secret)} if they are copies, or ` +
                `--keep-copies-of ${JSON.stringify(secret)} if everybody may read them`,
        );
    }
    if (reasons.length > 0) {
        const list = reasons.map((each) => `\n  - ${withoutTokens(each)}`).join("");
        throw new UsageError(`This stack cannot be redacted:${list}`);
    }
}

function replaceConfiguredSecrets(
    configuration: StackConfiguration,
    configured: ConfigurationSecrets,
    { copies, placeholders, crypter }: Pick<RedactionTools, "copies" | "placeholders" | "crypter">,
    replaced: ConfigurationPlaceholders,
    refusals: Set<string>,
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
    for (const { path, text, secrets, withSecrets, replace } of configuration.sensitiveValues) {
        const hidden = withSecrets((secret) => placeholders.text(secret));
        const placeholder = secrets.includes(text) ? hidden : copies.replace(hidden, () => nameOfSetting(path));
        replaced.clear[digestOf(text)] = placeholder;
        replace(placeholder);
    }
    for (const { path, text, replace } of configuration.plainValues) {
        const redacted = copies.replace(text, () => nameOfSetting(path));
        if (redacted !== text) {
            replaced.clear[digestOf(text)] = redacted;
            replace(redacted);
        }
    }
    if (unread.length > 0) {
        refusals.add(
            `the format of the settings ${unread.join(", ")} is not known. Set PULUMI_CONFIG_PASSPHRASE to the stack's ` +
                "passphrase, or pass the output of pulumi config --json --show-secrets with --config-values",
        );
    }
}

export function digestOf(text: string): string {
    return createHash("sha256").update(text).digest("hex");
}
