import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { Storage } from "../../../provider/src/bundle-mirror/storage/storage.js";
import { type PrivateCertificate, privateCertificate } from "../../charts/support/private-certificate.js";
import { archiveOf, PlatformServer } from "./platform-server.js";

describe("the signature of a mirror's upload part", () => {
    const part = archiveOf(5 * 1024 * 1024);

    /** Uploads two equal parts, and returns the content digests of the signed requests. */
    async function signedDigests(certificate?: PrivateCertificate): Promise<unknown[]> {
        const digests: unknown[] = [];
        const server = await PlatformServer.start(certificate);
        server.archive = (request, response) => {
            if (request.method === "PUT") {
                digests.push(request.headers["x-amz-content-sha256"]);
            }
            const answer = request.method === "POST" ? "<Upload><UploadId>1</UploadId></Upload>" : "";
            request.resume().on("end", () => response.setHeader("etag", '"1"').end(answer));
        };
        const storage = await Storage.open(
            { jobId: "se_42", bucket: "docs", endpoint: server.url },
            { accessKeyId: "a", secretAccessKey: "b" },
        );
        try {
            await storage.upload("key", Readable.from([part, part]), new AbortController().signal);
            return digests;
        } finally {
            storage.close();
            server.stop();
        }
    }

    it("covers the part's content over HTTP", async () => {
        const digest = createHash("sha256").update(part).digest("hex");
        assert.deepEqual(await signedDigests(), [digest, digest]);
    });

    describe("over HTTPS", () => {
        let folder: string;

        before(async () => {
            folder = await mkdtemp(path.join(tmpdir(), "part-signatures-"));
            process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
        });
        after(async () => {
            delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
            await rm(folder, { recursive: true });
        });

        it("does not cover the part's content, which TLS protects", async () => {
            const certificate = await privateCertificate(folder);
            assert.deepEqual(await signedDigests(certificate), ["UNSIGNED-PAYLOAD", "UNSIGNED-PAYLOAD"]);
        });
    });
});
