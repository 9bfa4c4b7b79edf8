// Copies a bundle as a mirror does, but without the mirror's lifecycle. `node bare-copy.mjs digest` reads the bundle at
// LINK and hashes it; `node bare-copy.mjs upload` uploads it in parts with the AWS SDK, which computes no digest of the
// whole bundle.
import { createHash } from "node:crypto";
import { S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";

const { LINK, ENDPOINT, BUCKET } = process.env;
const { get } = await import(LINK.startsWith("https:") ? "node:https" : "node:http");
const body = await new Promise((resolve, reject) => get(LINK, resolve).on("error", reject));
if (process.argv[2] === "digest") {
    const hash = createHash("sha256");
    body.on("data", (chunk) => hash.update(chunk));
} else {
    const client = new S3Client({
        endpoint: ENDPOINT,
        region: "us-east-1",
        forcePathStyle: true,
        requestChecksumCalculation: "WHEN_REQUIRED",
    });
    await new Upload({ client, params: { Bucket: BUCKET, Key: "copy.tar.gz", Body: body } }).done();
    client.destroy();
}
