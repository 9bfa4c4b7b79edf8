import { type JsonObject } from "../pulumi/marked-values.js";
import { plaintextBytes, type SecretReader } from "../pulumi/secret-reader.js";
import { type SecureValue, type StackConfiguration } from "./stack-configuration.js";

/** The output of `pulumi config --json --show-secrets`. */
export type ConfigurationValues = Record<string, { value?: string; objectValue?: unknown }>;

/**
 * The settings whose values are plain strings of any format, so that a placeholder can be created without the value.
 */
const plainTexts = /^static-export:|^kubernetes:(kubeconfig|context|cluster|namespace)$/;

/** The secrets of a stack's configuration: decrypted, or identified by their keys if only the ciphertext is known. */
export class ConfigurationSecrets {
    readonly #opaqueBytes = new Map<string, number>();

    constructor(
        private readonly configuration: StackConfiguration | undefined,
        private readonly reader: SecretReader,
        private readonly values: ConfigurationValues | undefined,
    ) {
        for (const secure of configuration?.secureValues ?? []) {
            if (this.read(secure) === undefined && secure.path.length === 1) {
                this.#opaqueBytes.set(secure.path[0] ?? "", plaintextBytes(secure.ciphertext));
            }
        }
    }

    /** The decrypted secret, or undefined if it cannot be read. */
    read({ path, ciphertext }: SecureValue): string | undefined {
        const [key = "", ...inner] = path;
        const printed = this.values?.[key];
        if (printed === undefined) {
            return this.reader.decrypt(ciphertext);
        }
        if (inner.length === 0) {
            return printed.value;
        }
        const value = inner.reduce<unknown>(
            (object, name) => (object as JsonObject | undefined)?.[name],
            printed.objectValue ?? JSON.parse(printed.value ?? "null"),
        );
        return typeof value === "string" ? value : JSON.stringify(value);
    }

    /** The replacement for a secret that cannot be read; undefined if its format is unknown. */
    identifyUnread({ path }: SecureValue): string | undefined {
        const [key = "", ...inner] = path;
        return inner.length === 0 && plainTexts.test(key) ? identityOf(key) : undefined;
    }

    /**
     * The replacement for a provider's secret that cannot be read, given the setting that it comes from. In a state,
     * the secret is JSON, which is longer than the setting; a shorter secret comes from an earlier value of the
     * setting.
     */
    identify(key: string, bytes: number): string | undefined {
        if (!plainTexts.test(key)) {
            return undefined;
        }
        const configured = this.#opaqueBytes.get(key);
        const quotes = 2;
        const fits =
            configured !== undefined &&
            (key === "kubernetes:kubeconfig" ? bytes >= configured + quotes : bytes === configured + quotes);
        return fits ? identityOf(key) : `${identityOf(key)} earlier`;
    }
}

function identityOf(key: string): string {
    return `\0${key}`;
}
