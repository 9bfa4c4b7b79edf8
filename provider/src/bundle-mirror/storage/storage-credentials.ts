import type { dynamic } from "@pulumi/pulumi";

/** The keys of the storage. They are never inputs and never in the state. */
export interface StorageCredentials {
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken?: string;
}

/**
 * The keys in the stack's configuration. When there are none, returns undefined, and the AWS SDK uses its default
 * chain: environment, shared configuration, role of the machine or pod. Call it only when a request is about to be
 * made.
 * @throws IncompleteCredentialsError when only one of the two keys is set
 */
export function readStorageCredentials(config: dynamic.Config): StorageCredentials | undefined {
    const accessKeyId = config.get("static-export:mirrorAccessKeyId");
    const secretAccessKey = config.get("static-export:mirrorSecretAccessKey");
    if (!accessKeyId && !secretAccessKey) {
        return undefined;
    }
    if (!accessKeyId) {
        throw new IncompleteCredentialsError("mirrorSecretAccessKey", "mirrorAccessKeyId");
    }
    if (!secretAccessKey) {
        throw new IncompleteCredentialsError("mirrorAccessKeyId", "mirrorSecretAccessKey");
    }
    const sessionToken = config.get("static-export:mirrorSessionToken");
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

/** Half a pair of keys is in the stack's configuration. The other half is not looked for in the environment. */
export class IncompleteCredentialsError extends Error {
    override readonly name = "IncompleteCredentialsError";

    constructor(present: string, missing: string) {
        super(
            `The stack's configuration has static-export:${present}, but no static-export:${missing}. Run \`pulumi ` +
                `config set --secret static-export:${missing}\`, or remove the other: then the AWS SDK looks for both in ` +
                "the environment, in its shared configuration and in the role of this machine.",
        );
    }
}
