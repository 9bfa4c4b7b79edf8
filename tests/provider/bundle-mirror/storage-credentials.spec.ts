import assert from "node:assert/strict";
import { readStorageCredentials } from "../../../provider/src/bundle-mirror/storage/storage-credentials.js";

function configOf(values: Record<string, string>) {
    const get = (key: string) => values[key.replace("static-export:", "")];
    return { get, require: (key: string) => String(get(key)) };
}

describe("BundleMirror credentials", () => {
    it("are read from the stack's configuration", () => {
        const config = { mirrorAccessKeyId: "id", mirrorSecretAccessKey: "secret" };
        const keys = { accessKeyId: "id", secretAccessKey: "secret" };
        assert.deepEqual(readStorageCredentials(configOf(config)), keys);
        const withToken = readStorageCredentials(configOf({ ...config, mirrorSessionToken: "token" }));
        assert.deepEqual(withToken, { ...keys, sessionToken: "token" });
    });

    it("are left to the AWS SDK if none are configured", () => {
        assert.equal(readStorageCredentials(configOf({})), undefined);
    });

    it("are refused if only one is set, and the message names the missing setting and hides the other value", () => {
        assert.throws(() => readStorageCredentials(configOf({ mirrorAccessKeyId: "id" })), {
            message: /no static-export:mirrorSecretAccessKey.*or remove the other/,
        });
        assert.throws(() => readStorageCredentials(configOf({ mirrorSecretAccessKey: "s3cr3t" })), {
            message: /^(?!.*s3cr3t).*no static-export:mirrorAccessKeyId/,
        });
    });
});
