import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { MemoryWatch } from "../support/memory-watch.js";
import { LargeArchive } from "./large-archive.js";
import { archiveOf, PlatformServer } from "../../provider/bundle-mirror/platform-server.js";
import { bucket, credentials, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { EngineStack } from "../support/engine-stack.js";
import { descendantsOf, isAlive, type ProcessEntry } from "../support/process-tree.js";
import { type RunningCommand } from "../support/run-command.js";
import { waitUntil } from "../../wait-until.js";
import { itInLong, scaled } from "../../scale.js";

const mebibyte = 1024 * 1024;
/** As in mirror-process.spec.ts. */
const archiveMebibytes = scaled({ short: 256, long: 512 });

describe("BundleMirror on the real engine", () => {
    let platform: PlatformServer;
    let s3: S3Server;
    let stack: EngineStack;

    const programFor = (jobId: string, options = "") => `import { BundleMirror } from "pulumi-static-export";
        const mirror = new BundleMirror("docs", {
            jobId: "${jobId}", bucket: "${bucket}", endpoint: "${s3.endpoint}", ${options}
        });
        export const { url, sha256, sizeBytes } = mirror;`;

    beforeEach(async () => {
        platform = await PlatformServer.start();
        platform.serve(archiveOf(1000));
        s3 = await S3Server.start();
        stack = await EngineStack.create({
            program: programFor("se_42"),
            config: { "static-export:baseUrl": platform.url },
            secret: {
                "static-export:adminApiKey": "test_0123456789abcdef",
                "static-export:mirrorAccessKeyId": credentials.accessKeyId,
                "static-export:mirrorSecretAccessKey": credentials.secretAccessKey,
            },
        });
    });
    afterEach(async () => {
        await stack.remove();
        platform.stop();
        await s3.stop();
    });

    it("copies once, outputs a working link, and then shows no diff", async () => {
        await stack.up();
        const response = await fetch(String(await stack.output("url")));
        assert.equal(response.status, 200);
        assert.equal((await response.arrayBuffer()).byteLength, 1000);
        assert.equal(await stack.output("sizeBytes"), 1000);
        const { downloads } = platform;
        const { output } = await stack.succeed("up", "--yes", "--skip-preview", "--expect-no-changes");
        assert.match(output, /2 unchanged/);
        assert.equal(platform.downloads, downloads);
    });

    it("writes no credentials or links to files or output", async () => {
        const outputs = [await stack.succeed("preview"), await stack.up(), await stack.succeed("stack", "export")];
        const signature = new URL(String(await stack.output("url"))).searchParams.get("X-Amz-Signature");
        assert.match(String(signature), /^[0-9a-f]{64}$/);
        for (const text of [...outputs.map(({ output }) => output), await stack.writtenText()]) {
            for (const secret of [credentials.secretAccessKey, String(signature), "=s3cr3t", "test_0123456789"]) {
                assert.ok(!text.includes(secret), `${secret} is in the clear`);
            }
        }
    });

    itInLong("creates the new copy and removes the old copy if removal is configured", async () => {
        await stack.writeProgram(programFor("se_42", "deleteOnRemoval: true"));
        await stack.up();
        await stack.writeProgram(programFor("se_43", "deleteOnRemoval: true"));
        await stack.up();
        assert.deepEqual(await s3.keys(), ["static-exports/se_43.tar.gz", "static-exports/se_43.tar.gz.sha256"]);
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.deepEqual(await s3.keys(), []);
    });

    itInLong(
        "returns to an earlier copy without the platform, and removes old copies only after a rollout",
        async () => {
            const copies = async () =>
                (await s3.keys()).filter((key) => key.endsWith(".gz")).map((key) => key.slice(15, -7));
            const upTo = async (jobId: string, options = "") => {
                await stack.writeProgram(programFor(jobId, `keep: 1, ${options}`));
                await stack.up();
            };
            await upTo("se_1");
            await upTo("se_2");
            const rollout = `new BundleMirror("rollout", { jobId: mirror.jobId, bucket: "no-such-bucket", endpoint: "${s3.endpoint}" });`;
            await stack.writeProgram(programFor("se_3", "keep: 1") + rollout);
            assert.notEqual((await stack.run("up", "--yes", "--skip-preview")).exitCode, 0);
            assert.deepEqual(await copies(), ["se_1", "se_2", "se_3"]);
            const { bundleRequests } = platform;
            await upTo("se_3", 'pin: "se_1"');
            assert.match(String(await stack.output("url")), /\/se_1\.tar\.gz\?/);
            assert.equal(platform.bundleRequests, bundleRequests);
            assert.deepEqual(await copies(), ["se_1", "se_3"]);
        },
    );

    itInLong(`copies ${archiveMebibytes} MiB while the provider host uses at most 200 MB of memory`, async () => {
        platform.archive = new LargeArchive(archiveMebibytes).answer;
        const watch = new MemoryWatch();
        await stack.up();
        const { peakMegabytes, providers } = watch.stop();
        assert.equal(await stack.output("sizeBytes"), archiveMebibytes * mebibyte);
        assert.equal(providers, process.platform === "linux" ? 1 : 0);
        assert.ok(peakMegabytes * mebibyte <= 200e6, `${peakMegabytes} MiB`);
    });

    describe("in the middle of a copy", () => {
        const content = archiveOf(40 * mebibyte);
        let run: RunningCommand;
        let processes: ProcessEntry[];

        beforeEach(async () => {
            platform.archive = (_request, response) => {
                response.writeHead(200, { "content-length": content.length });
                response.write(content.subarray(0, 30 * mebibyte));
            };
            const before = platform.downloads;
            run = stack.start("up", "--yes", "--skip-preview");
            while (platform.downloads === before) {
                assert.equal(run.child.exitCode, null, "the run has ended");
                await delay(50);
            }
            processes = descendantsOf(run.child.pid!);
        });
        afterEach(() => {
            // Pulumi's language host keeps running for minutes after its engine.
            processes.filter(isAlive).forEach(({ pid }) => process.kill(pid, "SIGKILL"));
        });

        const hosts = () => processes.filter(({ command }) => /^\S*node .*dynamic-provider/.test(command));
        const hostEnded = () => waitUntil("the provider ends", () => !hosts().some(isAlive), { withinMs: 30_000 });

        itInLong("leaves no object after a second Ctrl-C", async () => {
            const { pid } = run.child;
            process.kill(-pid!, "SIGINT");
            await run.seen(/If you would like to terminate immediately/);
            process.kill(-pid!, "SIGINT");
            await run.result;
            await hostEnded();
            assert.deepEqual(await s3.keys(), []);
        });

        itInLong("leaves no object if the engine is killed", async () => {
            assert.equal(hosts().length, 1);
            run.child.kill("SIGKILL");
            await hostEnded();
            assert.deepEqual(await s3.keys(), []);
        });

        itInLong("copies again if the provider is killed and restarted immediately", async () => {
            hosts().forEach(({ pid }) => process.kill(pid, "SIGKILL"));
            assert.notEqual((await run.result).exitCode, 0);
            platform.serve(content);
            await stack.up();
            assert.equal((await s3.read("static-exports/se_42.tar.gz")).length, content.length);
        });
    });
});
