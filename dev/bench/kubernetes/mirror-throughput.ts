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
import { privateCertificate } from "../../../tests/charts/support/private-certificate.js";
import { PlatformServer } from "../../../tests/provider/bundle-mirror/platform-server.js";
import { bucket, credentials, credentialVariables, S3Server } from "../../../tests/provider/bundle-mirror/s3-server.js";
import { cpuSecondsOf, cpuSecondsOfChildren } from "../cpu-seconds.js";
import { median } from "../median.js";
import { type Figure, secondsOf } from "./figure.js";

const run = promisify(execFile);
const mirrorProcess = fileURLToPath(new URL("../../../tests/e2e/bundle-mirror/mirror-process.mjs", import.meta.url));
const bareCopy = fileURLToPath(new URL("./bare-copy.mjs", import.meta.url));
const source = "source.tar.gz";

interface Round {
    seconds: number;
    clientCpuSeconds: number;
    serversCpuSeconds: number;
}

/**
 * Measures a mirror: the bundle is on one S3 server, behind a presigned link. The mirror streams the bundle to a second
 * server. For comparison, other programs upload the bundle from a file, do the mirror's work with curl and the AWS CLI,
 * or do a part of the mirror's work.
 */
export async function measureMirror(mebibytes: number, rounds: number, overTls: boolean): Promise<Figure[]> {
    const folder = await mkdtemp(path.join(tmpdir(), "bench-mirror-"));
    const certificate = overTls ? await privateCertificate(folder) : undefined;
    const servers = [
        await S3Server.start(undefined, certificate),
        await S3Server.start(undefined, certificate),
    ] as const;
    const [platformStorage, ownStorage] = servers;
    const platform = await PlatformServer.start();
    try {
        const file = path.join(folder, "bundle.tar.gz");
        await writeBundle(file, mebibytes);
        await uploadFile(platformStorage, file, source);
        const command = new GetObjectCommand({ Bucket: bucket, Key: source });
        const link = await getSignedUrl(platformStorage.client, command, { expiresIn: 3600 * 24 });
        platform.link = link;

        const authority = certificate && {
            NODE_EXTRA_CA_CERTS: certificate.file,
            AWS_CA_BUNDLE: certificate.file,
            CURL_CA_BUNDLE: certificate.file,
        };
        const variables = { LINK: link, ENDPOINT: ownStorage.endpoint, BUCKET: bucket, FILE: file };
        const env = {
            ...process.env,
            ...credentialVariables,
            AWS_DEFAULT_REGION: "us-east-1",
            ...variables,
            ...authority,
        };
        const node = (...args: string[]) => run(process.execPath, args, { env });
        const mirror = (...jobIds: string[]) => {
            const mirrors = jobIds.map((jobId) => ({ jobId, bucket, endpoint: ownStorage.endpoint }));
            return node(mirrorProcess, JSON.stringify({ baseUrl: platform.url, mirrors, credentials }));
        };
        const shell = (script: string) => run("sh", ["-c", script], { env });
        const awsCp = 'aws s3 cp --quiet --endpoint-url "$ENDPOINT"';
        const peers: Record<string, () => Promise<unknown>> = {
            "mirror, with the start of its process": () => mirror("se_42"),
            "the start of its process": () => mirror(),
            "curl into a file": () => shell('curl --silent --fail --output "$FILE" "$LINK"'),
            "download and SHA-256 in Node.js": () => node(bareCopy, "digest"),
            "the AWS SDK's own upload of the download": () => node(bareCopy, "upload"),
        };
        if (await hasAwsCli()) {
            peers["aws s3 cp of a file"] = () => shell(`${awsCp} "$FILE" "s3://$BUCKET/copy.tar.gz"`);
            peers["curl to aws s3 cp -"] = () =>
                shell(`curl --silent --fail "$LINK" | ${awsCp} - "s3://$BUCKET/copy.tar.gz"`);
            peers["the start of aws"] = () => shell("aws --version");
        }
        const measured = Object.keys(peers).map((what) => ({ what, rounds: [] as Round[] }));
        for (let round = 0; round < rounds; round++) {
            for (const peer of measured) {
                peer.rounds.push(await measureRound(servers, peers[peer.what]!));
                await empty(ownStorage);
            }
        }
        const mirrorSeconds = median(measured[0]!.rounds.map(({ seconds }) => seconds));
        return measured.map(({ what, rounds: all }) => {
            const seconds = all.map((each) => each.seconds);
            const client = median(all.map((each) => each.clientCpuSeconds)).toFixed(2);
            const both = median(all.map((each) => each.serversCpuSeconds)).toFixed(2);
            const against = (mirrorSeconds / median(seconds)).toFixed(2);
            return { what, seconds, ratio: `mirror : this = ${against}; processor ${client} s, servers ${both} s` };
        });
    } finally {
        platform.stop();
        await platformStorage.stop();
        await ownStorage.stop();
        await rm(folder, { recursive: true });
    }
}

async function measureRound(servers: readonly S3Server[], work: () => Promise<unknown>): Promise<Round> {
    const cpuOfServers = () => servers.reduce((sum, { processId }) => sum + cpuSecondsOf(processId), 0);
    const [clientBefore, serversBefore] = [cpuSecondsOfChildren(), cpuOfServers()];
    const seconds = await secondsOf(work);
    return {
        seconds,
        clientCpuSeconds: cpuSecondsOfChildren() - clientBefore,
        serversCpuSeconds: cpuOfServers() - serversBefore,
    };
}

/**
 * Writes a file that compresses no better than a real archive. The file starts with the magic bytes of an archive,
 * because a mirror checks nothing else.
 */
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

async function uploadFile(storage: S3Server, file: string, key: string): Promise<void> {
    const params = { Bucket: bucket, Key: key, Body: createReadStream(file) };
    await new Upload({ client: storage.client, params }).done();
}

function hasAwsCli(): Promise<boolean> {
    return run("aws", ["--version"]).then(
        () => true,
        () => false,
    );
}

async function empty(storage: S3Server): Promise<void> {
    const Objects = (await storage.keys()).map((Key) => ({ Key }));
    if (Objects.length > 0) {
        await storage.client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
    }
}
