import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type PrivateCertificate, privateCertificate } from "../../charts/support/private-certificate.js";
import { LargeArchive } from "./large-archive.js";
import { archiveOf, PlatformServer } from "../../provider/bundle-mirror/platform-server.js";
import { bucket, credentials, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { scaled } from "../../scale.js";

const mebibyte = 1024 * 1024;
/**
 * `SPEC_SCALE=4` measures the documented size. An archive larger than the limit shows whether memory grows with the
 * size.
 */
const archiveMebibytes = scaled({ short: 256, long: 512 });

describe("BundleMirror in the provider process that Pulumi runs", function () {
    this.timeout(600_000);
    let folder: string;
    let certificate: PrivateCertificate;
    let platform: PlatformServer;
    let s3: S3Server;

    before(async () => {
        folder = await mkdtemp(path.join(tmpdir(), "mirror-process-"));
        certificate = await privateCertificate(folder);
    });
    after(() => rm(folder, { recursive: true }));

    async function startServers(tls?: PrivateCertificate): Promise<void> {
        platform = await PlatformServer.start(tls);
        s3 = await S3Server.start("127.0.0.1", tls);
    }
    afterEach(async () => {
        platform.stop();
        await s3.stop();
    });

    function mirror(jobIds = ["se_42"], engineAddress?: string): ChildProcess {
        const script = fileURLToPath(new URL("./mirror-process.mjs", import.meta.url));
        const mirrors = jobIds.map((jobId) => ({ jobId, bucket, endpoint: s3.endpoint }));
        const settings = JSON.stringify({ baseUrl: platform.url, mirrors, credentials, engineAddress });
        const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate.file, TMPDIR: folder };
        return spawn(process.execPath, [script, settings], { env, stdio: ["ignore", "pipe", "ignore"] });
    }

    for (const { jobIds, scheme } of [
        { jobIds: ["se_42"], scheme: "HTTPS" },
        // The copies run one after another, so that the next copy's memory includes any memory that a copy did not
        // free.
        { jobIds: ["se_42", "se_43", "se_44", "se_45", "se_46"], scheme: "HTTP" },
    ]) {
        const mebibytes = Math.ceil(archiveMebibytes / jobIds.length);
        const what = jobIds.length === 1 ? `${mebibytes} MiB` : `${jobIds.length} times ${mebibytes} MiB`;
        it(`copies ${what} over ${scheme} in at most 320 MB of memory, including Pulumi's own modules`, async () => {
            await startServers(scheme === "HTTPS" ? certificate : undefined);
            const archive = new LargeArchive(mebibytes);
            platform.archive = archive.answer;
            const child = mirror(jobIds);
            assert.ok(child.stdout);
            const printed = JSON.parse(await text(child.stdout)) as { measures: unknown; maxRssBytes: number };
            const { sizeBytes } = archive;
            assert.deepEqual(printed.measures, Array(jobIds.length).fill({ sha256: archive.sha256(), sizeBytes }));
            // Alone, 200 to 245 MB: a busy machine collects the buffers of connections later, measured up to 285 MB.
            assert.ok(printed.maxRssBytes <= 320e6, JSON.stringify(printed));
        });
    }

    /** The folders of copies that have not ended. */
    async function temporaryFolders(): Promise<string[]> {
        return (await readdir(folder)).filter((name) => name.startsWith("bundle-mirror-"));
    }

    /** Starts a copy that gets a part of the archive and then waits for the rest, which never arrives. */
    async function mirrorHalfway(engineAddress?: string): Promise<ChildProcess> {
        await startServers();
        const content = archiveOf(40 * mebibyte);
        platform.archive = (_request, response) => {
            response.writeHead(200, { "content-length": content.length });
            response.write(content.subarray(0, 30 * mebibyte));
        };
        const child = mirror(["se_42"], engineAddress);
        while ((await temporaryFolders()).length === 0) {
            assert.equal(child.exitCode, null, "the process has ended");
        }
        return child;
    }

    it("removes its temporary file before it exits if it is interrupted", async () => {
        const child = await mirrorHalfway();
        const exited = once(child, "close");
        child.kill("SIGTERM");
        await exited;
        assert.deepEqual(await temporaryFolders(), []);
        assert.deepEqual(await s3.keys(), []);
    });

    it("removes its temporary file and exits if the engine is gone", async () => {
        const engine = createServer((socket) => socket.destroy());
        await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
        const child = await mirrorHalfway(`127.0.0.1:${(engine.address() as AddressInfo).port}`);
        const exited = once(child, "close");
        engine.close();
        assert.deepEqual(await exited, [1, null]);
        assert.deepEqual(await temporaryFolders(), []);
        assert.deepEqual(await s3.keys(), []);
    });
});
