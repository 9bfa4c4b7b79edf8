import type { dynamic } from "@pulumi/pulumi";
import { MissingSettingError } from "../../host/settings.js";

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
 * @throws MissingSettingError when only one of the two keys is set
 */
export function readStorageCredentials(config: dynamic.Config): StorageCredentials | undefined {
    const accessKeyId = config.get("static-export:mirrorAccessKeyId");
    const secretAccessKey = config.get("static-export:mirrorSecretAccessKey");
    if (!accessKeyId && !secretAccessKey) {
        return undefined;
    }
    if (!accessKeyId) {
        const variable = "AWS_ACCESS_KEY_ID";
        throw new MissingSettingError("access key of the mirror's storage", "mirrorAccessKeyId", variable, true);
    }
    if (!secretAccessKey) {
        const variable = "AWS_SECRET_ACCESS_KEY";
        throw new MissingSettingError("secret key of the mirror's storage", "mirrorSecretAccessKey", variable, true);
    }
    const sessionToken = config.get("static-export:mirrorSessionToken");
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}
