import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Bucket } from "../../../service/src/storage/s3-bucket.js";

const maxAnswerMs = 100;

/** A bucket in a storage that accepts connections and never answers. */
async function withSilentBucket(use: (bucket: S3Bucket) => Promise<void>): Promise<void> {
    const links = new Set<Socket>();
    const server = createServer((socket) => void links.add(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
    await once(server, "listening");
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const earlier = { ...process.env };
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_REGION: "us-east-1" });
    const location = { name: "bundles", prefix: "", endpoint, publicEndpoint: undefined };
    const bucket = new S3Bucket(location, () => undefined, maxAnswerMs);
    try {
        await use(bucket);
    } finally {
        await bucket.close();
        process.env = earlier;
        links.forEach((link) => link.destroy());
        server.close();
    }
}

describe("A bucket that accepts connections and never answers", () => {
    const late = { name: "StorageUnavailableError", message: /no answer within/ };
    const never = new AbortController().signal;
    const requests: Readonly<Record<string, (bucket: S3Bucket) => Promise<unknown>>> = {
        "the check of the bucket": (bucket) => bucket.assertReachable(),
        "the size of an object": (bucket) => bucket.sizeOf("a"),
        "an object": (bucket) => bucket.stream("a"),
        "a part of an object": (bucket) => bucket.read("a", 0, 1, never),
        "a list of objects": (bucket) => bucket.list("").next(),
        "an object for a file": (bucket) => bucket.get("a", "/dev/null", never),
    };
    for (const [what, request] of Object.entries(requests)) {
        it(`delays ${what} for no longer than a client waits`, async () => {
            await withSilentBucket(async (bucket) => {
                const beganAt = performance.now();
                await assert.rejects(request(bucket), late);
                assert.ok(performance.now() - beganAt < 20 * maxAnswerMs);
            });
        });
    }

    it("delays no end of the process: closing ends an upload and a removal", async () => {
        const folder = await mkdtemp(join(tmpdir(), "silent-"));
        try {
            const path = join(folder, "file");
            await writeFile(path, "content");
            await withSilentBucket(async (bucket) => {
                const sha256 = "a".repeat(64);
                const upload = bucket.put("a", path, { sha256, sizeBytes: 7 }, never);
                const removal = bucket.remove(["a"]);
                const ends = Promise.all([upload, removal].map((each) => assert.rejects(each)));
                await bucket.close();
                await ends;
            });
        } finally {
            await rm(folder, { recursive: true });
        }
    });
});
