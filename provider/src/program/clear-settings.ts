import * as pulumi from "@pulumi/pulumi";

/** What Pulumi's SDK has beside its public types; a release without it cannot tell what is a secret. */
interface RuntimeConfig {
    isConfigSecret?: (key: string) => boolean;
    allConfig?: () => Record<string, string>;
}

const warned = new Set<string>();

/**
 * Warns, once for a stack, of settings that open something and stand in the stack's configuration in clear. Policies
 * cannot tell, because they see secrets in clear, too. The values are not printed.
 * @param keys - without the namespace, such as `adminApiKey`
 */
export function warnOfClearSettings(keys: readonly string[]): void {
    const { isConfigSecret, allConfig } = pulumi.runtime as RuntimeConfig;
    if (isConfigSecret === undefined || allConfig === undefined) {
        return;
    }
    const config = allConfig();
    for (const key of keys.map((each) => `static-export:${each}`)) {
        const warning = `${pulumi.getProject()}/${pulumi.getStack()}/${key}`;
        if (Object.hasOwn(config, key) && !isConfigSecret(key) && !warned.has(warning)) {
            warned.add(warning);
            void pulumi.log.warn(
                `${key} stands in clear in the configuration of this stack, and in its state. Run ` +
                    `\`pulumi config set --secret ${key}\` with a new value, and revoke the old one: it stays in the ` +
                    "history of the configuration file.",
            );
        }
    }
}
