import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@pulumi-static-export/toolchain";
import { waitFor } from "../../../dev/cluster/src/cluster/wait-for.js";
import { bucket, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { allowReading, storageSecrets } from "./support/bucket.js";
import { ClusterPlatform } from "./support/cluster-platform.js";
import { createExampleStack } from "./support/example.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";

/** air-gapped.spec.ts runs examples/air-gapped. */
describe("the programs of examples/", () => {
    const cluster = useSharedCluster();
    let platform: ClusterPlatform;
    let storage: S3Server;

    before(async () => {
        platform = await ClusterPlatform.start(cluster());
        storage = await S3Server.start(cluster().hostAddress);
    });
    after(async () => {
        await platform?.stop();
        await storage?.stop();
    });

    const storageConfig = async () => ({
        bucket,
        endpoint: storage.endpoint,
        publicUrl: await allowReading(storage),
    });

    const nothing = () => Promise.resolve({});

    const writePage = (text: string) =>
        writeFile(join(platform.platform.site, "start.md"), `---\ntitle: Start\n---\n\n${text}\n`);

    /** Fails unless visitors get this text. Helm does not wait until the last old pod has left the Service. */
    const assertServed = async (url: string, text: string) => {
        const look = async () =>
            (await (await fetch(`${url}/start`)).text()).includes(text) ? undefined : "another text";
        assert.equal(await waitFor(look, { timeoutMs: 30_000 }), undefined, `${url}/start does not say "${text}"`);
    };

    for (const [example, configOf] of [
        ["helm-release", nothing],
        ["documentation-site", storageConfig],
        ["own-chart", nothing],
    ] as const) {
        it(`serve the site, roll out a new version and leave nothing behind: ${example}`, async () => {
            const namespace = await Namespace.create(cluster(), example);
            const secret = example === "documentation-site" ? storageSecrets : {};
            const stack = await createExampleStack(example, namespace, platform, await configOf(), secret);
            try {
                await writePage("As it was.");
                await stack.up();
                const url = await namespace.serviceUrl(String(await stack.output("service")));
                const jobId = await stack.output("jobId");
                await assertServed(url, "As it was.");

                await writePage("As it is now.");
                await stack.configure({ config: { version: "next" } });
                await stack.up();
                assert.notEqual(await stack.output("jobId"), jobId);
                await assertServed(url, "As it is now.");
            } finally {
                await stack.succeed("destroy", "--yes", "--skip-preview");
                await stack.remove();
            }
            await namespace.podsGone();
            assert.deepEqual(await namespace.everything(), []);
            await namespace.remove();
        });
    }

    it("serve a pull request's pages at a separate address until the pages are removed: preview-site", async () => {
        const namespace = await Namespace.create(cluster(), "preview-site");
        const stack = await createExampleStack(
            "preview-site",
            namespace,
            platform,
            await storageConfig(),
            storageSecrets,
        );
        const succeed = async (program: string, ...args: string[]) => {
            const env = { PREVIEW_DOMAIN: "previews.example.com", SERVICE_PORT: String(await freePort()) };
            const { exitCode, output } = await stack.startOther(program, args, env).result;
            assert.equal(exitCode, 0, output);
            return output;
        };
        try {
            // The bucket may contain objects that other specs left behind.
            const before = await storage.keys();
            // The script starts its own service.
            await stack.removeConfig("static-export:baseUrl", "static-export:adminApiKey");
            await stack.succeed("stack", "rename", "previews");
            await mkdir(join(stack.folder, "pages"));
            for (const text of ["As it is in the branch.", "As it is after a second commit."]) {
                await writeFile(join(stack.folder, "pages", "start.md"), `# Start\n\n${text}\n`);
                assert.match(
                    await succeed("bash", "deploy-preview.sh", "12", text, "pages"),
                    /^https:\/\/pr-12\.previews\.example\.com\/$/m,
                );
                await assertServed(await namespace.serviceUrl("pr-12-documentation-site"), text);
            }
            const hosts = await namespace.kubectl("get", "ingress", "--output=jsonpath={.items[*].spec.rules[*].host}");
            assert.equal(hosts, "pr-12.previews.example.com");
            assert.match(await succeed("node", "remove-previews.mjs", "--days", "1"), /no preview to remove/);
            assert.match(await succeed("node", "remove-previews.mjs", "--days", "0"), /Removed pr-12\./);
            assert.match(await succeed("node", "remove-previews.mjs", "12"), /no preview to remove/);
            assert.deepEqual(await storage.keys(), before);
        } finally {
            await stack.remove();
        }
        await namespace.podsGone();
        assert.deepEqual(await namespace.everything(), []);
        await namespace.remove();
    });

    it("keep the copies in the bucket after destroy, as examples/documentation-site configures", async () => {
        // The copies of two versions, each with a file that contains its digest.
        assert.equal((await storage.keys()).length, 4);
    });
});
