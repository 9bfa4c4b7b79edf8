import assert from "node:assert/strict";
import { AdminClient } from "@pulumi-static-export/sdk";
import { saveBundle } from "../../../cli/src/export/save-bundle.js";
import { json, withServer } from "../../sdk/support/http-server.js";

const { signal } = new AbortController();

describe("A bundle that the command saves", () => {
    it("is refused if it is larger than 8 GiB, and the error names no setting that the command lacks", async () => {
        const link = { bundleUrl: "https://bundles.example.com/se_42.tar.gz", sizeBytes: 8 * 1024 ** 3 + 1 };
        await withServer([json(200, link)], async ({ baseUrl }) => {
            const client = new AdminClient({ baseUrl, adminApiKey: "test_0123456789" });
            await assert.rejects(saveBundle(client, "se_42", { output: "unused" }, signal), ({ message }: Error) => {
                assert.match(message, /larger than 8589934592 bytes\. This limit cannot be raised: export fewer pages/);
                assert.doesNotMatch(message, /maxBytes/);
                return true;
            });
        });
    });
});
