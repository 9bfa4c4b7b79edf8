import assert from "node:assert/strict";
import { archiveOf, PlatformServer } from "../../provider/bundle-mirror/platform-server.js";
import { bucket, credentials, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { EngineStack } from "../support/engine-stack.js";
import { itInLong } from "../../scale.js";

/** As in mirror-process.spec.ts. */

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
});
