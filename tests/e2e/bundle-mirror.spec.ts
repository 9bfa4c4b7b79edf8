import assert from "node:assert/strict";
import { archiveOf, PlatformServer } from "../provider/mirror/platform-server.js";
import { bucket, credentials, S3Server } from "../provider/mirror/s3-server.js";
import { EngineStack } from "./support/engine-stack.js";

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

    it("copies once, hands out a link that works, and then sees no difference", async () => {
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

    it("keeps credentials and links out of everything that is written and printed", async () => {
        const outputs = [await stack.succeed("preview"), await stack.up(), await stack.succeed("stack", "export")];
        const signature = new URL(String(await stack.output("url"))).searchParams.get("X-Amz-Signature");
        assert.match(String(signature), /^[0-9a-f]{64}$/);
        for (const text of [...outputs.map(({ output }) => output), await stack.writtenText()]) {
            for (const secret of [credentials.secretAccessKey, String(signature), "=s3cr3t", "test_0123456789"]) {
                assert.ok(!text.includes(secret), `${secret} is in the clear`);
            }
        }
    });

    it("makes the new copy before it removes the old one, where removal was chosen", async () => {
        await stack.writeProgram(programFor("se_42", "deleteOnRemoval: true"));
        await stack.up();
        await stack.writeProgram(programFor("se_43", "deleteOnRemoval: true"));
        await stack.up();
        assert.deepEqual(await s3.keys(), ["static-exports/se_43.tar.gz", "static-exports/se_43.tar.gz.sha256"]);
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.deepEqual(await s3.keys(), []);
    });
});
