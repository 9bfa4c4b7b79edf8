import assert from "node:assert/strict";
import { azureSettings } from "@pulumi-static-export/contract";
import { readAzureCredentials } from "../../../provider/src/bucket-site/azure-credentials.js";

describe("The credentials of a container", () => {
    const read = (config: Record<string, string>) =>
        readAzureCredentials({ get: (key) => config[key], require: () => "" });

    it("are a key or a token of the stack's configuration, and otherwise those of the machine", () => {
        assert.deepEqual(read({ [azureSettings.accountKey]: "key" }), { accountKey: "key", sasToken: undefined });
        assert.deepEqual(read({ [azureSettings.sasToken]: "token" }), { accountKey: undefined, sasToken: "token" });
        assert.equal(read({}), undefined);
        assert.equal(read({ [azureSettings.accountKey]: "" }), undefined);
    });
});
