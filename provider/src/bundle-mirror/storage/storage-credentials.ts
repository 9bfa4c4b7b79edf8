import type { dynamic } from "@pulumi/pulumi";
import { MissingSettingError } from "../../host/settings.js";

/** Keys of the storage. They are never an input and never in the state. */
export interface StorageCredentials {
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken?: string;
}

/**
 * The keys that the stack's configuration holds, or undefined: then the AWS SDK looks where it always does, in the
 * environment, the shared configuration, and the role of the machine or pod. Call it when a request is due, not before.
 * @throws MissingSettingError when one half of a pair is set
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
