import * as pulumi from "@pulumi/pulumi";

/**
 * Functions in Pulumi's SDK that its types do not declare. Without these functions, secret keys cannot be recognised.
 */
interface RuntimeConfig {
    isConfigSecret?: (key: string) => boolean;
    allConfig?: () => Record<string, string>;
}

const warned = new Set<string>();

/**
 * Warns, once per stack, about credentials in the stack's configuration that are not marked as secret. A policy cannot
 * check this, because it receives decrypted secrets. Never prints the values.
 * @param keys - with the namespace, such as `static-export:adminApiKey`
 */
export function warnOfClearSettings(keys: readonly string[]): void {
    const { isConfigSecret, allConfig } = pulumi.runtime as RuntimeConfig;
    if (isConfigSecret === undefined || allConfig === undefined) {
        return;
    }
    const config = allConfig();
    for (const key of keys) {
        const warning = `${pulumi.getProject()}/${pulumi.getStack()}/${key}`;
        if (Object.hasOwn(config, key) && !isConfigSecret(key) && !warned.has(warning)) {
            warned.add(warning);
            void pulumi.log.warn(
                `${key} is in plaintext in this stack's configuration and state. Run ` +
                    `\`pulumi config set --secret ${key}\` with a new value and revoke the old one: it remains in ` +
                    "the history of the configuration file.",
            );
        }
    }
}
