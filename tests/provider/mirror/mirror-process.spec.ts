import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { archiveOf, PlatformServer } from "./platform-server.js";
import { bucket, credentials, S3Server } from "./s3-server.js";

const mebibyte = 1024 * 1024;
/** `MIRROR_SPEC_MIB=2048` measures with as much as the promise says; what is kept in memory does not depend on it. */
const archiveMebibytes = Number(process.env.MIRROR_SPEC_MIB ?? 256);

describe("BundleMirror in a process of its own", function () {
    this.timeout(600_000);
    let platform: PlatformServer;
    let s3: S3Server;

    beforeEach(async () => {
        platform = await PlatformServer.start();
        s3 = await S3Server.start();
    });
    afterEach(async () => {
        platform.stop();
        await s3.stop();
    });

    function mirror(): ChildProcess {
        const script = fileURLToPath(new URL("mirror-process.mjs", import.meta.url));
        const inputs = { jobId: "se_42", bucket, endpoint: s3.endpoint };
        const settings = JSON.stringify({ baseUrl: platform.url, inputs, credentials });
        return spawn(process.execPath, [script, settings], { stdio: ["ignore", "pipe", "ignore"] });
    }

    it(`copies ${archiveMebibytes} MiB in at most 200 MB of memory`, async () => {
        const [first, block] = [archiveOf(mebibyte), Buffer.alloc(mebibyte, 3)];
        const blocks = function* () {
            yield first;
            for (let count = 1; count < archiveMebibytes; count++) {
                yield block;
            }
        };
        const hash = createHash("sha256");
        for (const each of blocks()) {
            hash.update(each);
        }
        platform.archive = (_request, response) => {
            response.writeHead(200, { "content-length": archiveMebibytes * mebibyte });
            Readable.from(blocks(), { objectMode: false }).pipe(response);
        };
        const child = mirror();
        assert.ok(child.stdout);
        const result = JSON.parse(await text(child.stdout)) as Record<"sha256" | "sizeBytes" | "maxRssBytes", unknown>;
        assert.equal(result.sizeBytes, archiveMebibytes * mebibyte);
        assert.equal(result.sha256, hash.digest("hex"));
        assert.ok(Number(result.maxRssBytes) <= 200e6, `${String(result.maxRssBytes)} bytes`);
    });

    it("removes its parts before it ends when it is interrupted", async () => {
        const content = archiveOf(40 * mebibyte);
        // The rest never comes, so the process is in the middle of the copy when the signal comes.
        platform.archive = (_request, response) => {
            response.writeHead(200, { "content-length": content.length });
            response.write(content.subarray(0, 30 * mebibyte));
        };
        const child = mirror();
        const exited = once(child, "close");
        while ((await s3.unfinishedUploads()).length === 0) {
            assert.equal(child.exitCode, null, "the process has ended");
        }
        child.kill("SIGTERM");
        const [, signal] = (await exited) as [number | null, NodeJS.Signals | null];
        assert.equal(signal, "SIGTERM");
        assert.deepEqual(await s3.unfinishedUploads(), []);
        assert.deepEqual(await s3.keys(), []);
    });
});
