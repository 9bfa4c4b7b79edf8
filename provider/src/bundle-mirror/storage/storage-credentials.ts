import type { dynamic } from "@pulumi/pulumi";
import { mirrorSettings } from "@pulumi-static-export/contract";
import type { BucketCredentials } from "@pulumi-static-export/sdk/publish";

/**
 * Returns the keys in the stack's configuration. They are never inputs, and never stored in the state of a resource. If
 * they are undefined, the AWS SDK uses its default chain: environment, shared configuration, role of the machine or pod.
 * Call this function only when a request is about to be made.
 * @throws Error when only one of the two keys is set
 */
export function readStorageCredentials(config: dynamic.Config): BucketCredentials | undefined {
    const accessKeyId = config.get(mirrorSettings.accessKeyId);
    const secretAccessKey = config.get(mirrorSettings.secretAccessKey);
    if (!accessKeyId && !secretAccessKey) {
        return undefined;
    }
    if (!accessKeyId) {
        throw incomplete(mirrorSettings.secretAccessKey, mirrorSettings.accessKeyId);
    }
    if (!secretAccessKey) {
        throw incomplete(mirrorSettings.accessKeyId, mirrorSettings.secretAccessKey);
    }
    const sessionToken = config.get(mirrorSettings.sessionToken);
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

/** The missing key of the pair is not read from the environment. */
function incomplete(present: string, missing: string): Error {
    return new Error(
        `The stack's configuration has ${present}, but no ${missing}. Run \`pulumi ` +
            `config set --secret ${missing}\`, or remove the other setting: the AWS SDK then looks for both ` +
            "in the environment, in its shared configuration and in the role of this machine.",
    );
}
