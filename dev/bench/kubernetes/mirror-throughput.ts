import { execFile } from "node:child_process";
import { createCipheriv } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DeleteObjectsCommand, GetObjectCommand } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { PlatformServer } from "../../../tests/provider/bundle-mirror/platform-server.js";
import { bucket, credentials, S3Server } from "../../../tests/provider/bundle-mirror/s3-server.js";
import { median } from "../median.js";
import { type Figure, secondsOf } from "./figure.js";

const run = promisify(execFile);
const mirrorProcess = fileURLToPath(new URL("../../../tests/e2e/bundle-mirror/mirror-process.mjs", import.meta.url));
const source = "source.tar.gz";

/**
 * The bundle is on one S3 server, behind a presigned link. The mirror streams it to a second server; the peer downloads
 * it with curl into a file and uploads that.
 */
export async function measureMirror(mebibytes: number, rounds: number): Promise<Figure[]> {
    const folder = await mkdtemp(path.join(tmpdir(), "bench-mirror-"));
    const platformStorage = await S3Server.start();
    const ownStorage = await S3Server.start();
    const platform = await PlatformServer.start();
    try {
        const file = path.join(folder, "bundle.tar.gz");
        await writeBundle(file, mebibytes);
        await uploadFile(platformStorage, file, source);
        const command = new GetObjectCommand({ Bucket: bucket, Key: source });
        const link = await getSignedUrl(platformStorage.client, command, { expiresIn: 3600 });
        platform.link = link;

        const seconds = { mirror: [], curl: [], awsCli: [], library: [] } as Record<string, number[]>;
        const aws = await hasAwsCli();
        for (let round = 0; round < rounds; round++) {
            seconds.mirror?.push(await secondsOf(() => mirror(platform, ownStorage)));
            await empty(ownStorage);
            seconds.curl?.push(await secondsOf(() => run("curl", ["--silent", "--fail", "--output", file, link])));
            seconds.library?.push(await secondsOf(() => uploadFile(ownStorage, file, "copy.tar.gz")));
            await empty(ownStorage);
            if (aws) {
                seconds.awsCli?.push(await secondsOf(() => copyWithAwsCli(ownStorage, file)));
                await empty(ownStorage);
            }
        }
        const { mirror: mirrored = [], curl = [], awsCli = [], library = [] } = seconds;
        const rate = (all: number[]) => `${(mebibytes / median(all)).toFixed(0)} MiB/s`;
        const against = (...peers: number[][]) =>
            (median(mirrored) / peers.reduce((sum, peer) => sum + median(peer), 0)).toFixed(2);
        const upload = (what: string, all: number[]) => {
            const ratio = `${rate(all)}; mirror : (curl + this) = ${against(curl, all)}`;
            return { what, seconds: all, ratio };
        };
        return [
            {
                what: `mirror, with the start of its process (${mebibytes} MiB)`,
                seconds: mirrored,
                ratio: rate(mirrored),
            },
            { what: "curl into a file", seconds: curl, ratio: `${rate(curl)}; mirror : this = ${against(curl)}` },
            ...(aws ? [upload("aws s3 cp of that file", awsCli)] : []),
            upload("lib-storage upload of that file", library),
        ];
    } finally {
        platform.stop();
        await platformStorage.stop();
        await ownStorage.stop();
        await rm(folder, { recursive: true });
    }
}

/** Incompressible, like a real archive, and starts with an archive's magic bytes, all that a mirror checks. */
async function writeBundle(file: string, mebibytes: number): Promise<void> {
    const zeros = Buffer.alloc(1024 * 1024);
    const content = function* () {
        const cipher = createCipheriv("aes-128-ctr", Buffer.alloc(16, 1), Buffer.alloc(16));
        for (let count = 0; count < mebibytes; count++) {
            const block = cipher.update(zeros);
            if (count === 0) {
                block.set([0x1f, 0x8b]);
            }
            yield block;
        }
    };
    await pipeline(Readable.from(content(), { objectMode: false }), createWriteStream(file));
}

async function mirror(platform: PlatformServer, storage: S3Server): Promise<void> {
    const mirrors = [{ jobId: "se_42", bucket, endpoint: storage.endpoint }];
    await run(process.execPath, [mirrorProcess, JSON.stringify({ baseUrl: platform.url, mirrors, credentials })]);
}

async function uploadFile(storage: S3Server, file: string, key: string): Promise<void> {
    const params = { Bucket: bucket, Key: key, Body: createReadStream(file) };
    await new Upload({ client: storage.client, params }).done();
}

async function copyWithAwsCli(storage: S3Server, file: string): Promise<void> {
    const env = {
        ...process.env,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_DEFAULT_REGION: "us-east-1",
    };
    const args = ["s3", "cp", "--quiet", "--endpoint-url", storage.endpoint, file, `s3://${bucket}/copy.tar.gz`];
    await run("aws", args, { env });
}

function hasAwsCli(): Promise<boolean> {
    return run("aws", ["--version"]).then(
        () => true,
        () => false,
    );
}

async function empty(storage: S3Server): Promise<void> {
    const Objects = (await storage.keys()).map((Key) => ({ Key }));
    await storage.client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
}
