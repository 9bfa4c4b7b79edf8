import assert from "node:assert/strict";
import { Storage } from "../../../provider/src/bundle-mirror/storage/storage.js";

const nowMs = Date.parse("2026-11-20T12:00:00Z");

describe("A presigned link of a mirror", () => {
    it("expires with the credentials that signed it, even if newer credentials already exist", async () => {
        const expirations = new Map<string, Date>();
        // The SDK requests credentials each time, because the previous credentials are about to expire.
        const credentials = () => {
            const accessKeyId = `AKIA${expirations.size}`;
            const expiration = new Date(nowMs + (expirations.size + 1) * 60_000);
            expirations.set(accessKeyId, expiration);
            return Promise.resolve({ accessKeyId, secretAccessKey: "t0p-secret", expiration });
        };
        const inputs = { bucket: "docs", jobId: "se_1", endpoint: "http://127.0.0.1:9" };
        const storage = await Storage.open(inputs, credentials as never);
        const { url, expiresAtMs } = await storage.presign("docs.tar.gz", 3600, nowMs);
        storage.close();
        const [signer = ""] = new URL(url).searchParams.get("X-Amz-Credential")?.split("/") ?? [];
        assert.equal(expiresAtMs, expirations.get(signer)?.getTime());
    });
});
