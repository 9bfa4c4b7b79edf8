import assert from "node:assert/strict";
import { stringify } from "yaml";
import { bundleOf } from "../../provider/bucket-site/bucket-site-fixture.js";
import { PlatformServer } from "../../provider/bundle-mirror/platform-server.js";
import { bucket, credentials, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { PluginFolder } from "../plugin/support/plugin-folder.js";
import { EngineStack } from "../support/engine-stack.js";

const adminApiKey = "test_0123456789abcdef";
const bundles: Record<string, Buffer> = {
    se_1: bundleOf({ "index.html": "home", "a.html": "a" }),
    se_2: bundleOf({ "index.html": "new home", "a.html": "a" }),
};

type Inputs = Readonly<Record<string, unknown>>;

const kinds = {
    "in a program for Node.js": (inputs: Inputs) => `import { BucketSite } from "pulumi-static-export";
        const site = new BucketSite("docs", ${JSON.stringify(inputs)});
        export const { servedJobId, uploadedFiles, changedPaths, earlierJobIds } = site;`,
    "of the plugin": (inputs: Inputs) => ({
        "Pulumi.yaml": stringify({
            name: "site",
            runtime: "yaml",
            resources: { docs: { type: "static-export:BucketSite", properties: inputs } },
            outputs: Object.fromEntries(
                ["servedJobId", "uploadedFiles", "changedPaths", "earlierJobIds"].map((name) => [
                    name,
                    `\${docs.${name}}`,
                ]),
            ),
        }),
    }),
};

for (const [kind, programOf] of Object.entries(kinds)) {
    describe(`BucketSite ${kind}, on the real engine`, () => {
        let platform: PlatformServer;
        let s3: S3Server;
        let plugin: PluginFolder | undefined;
        let stack: EngineStack;

        const inputs = (more: Inputs = {}): Inputs => ({
            ...{ jobId: "se_1", bucket, prefix: "docs/", endpoint: s3.endpoint, keep: 1 },
            ...more,
        });
        const declare = async (more: Inputs = {}) => {
            const program = programOf(inputs(more));
            await (typeof program === "string" ? stack.writeProgram(program) : stack.writeFiles(program));
        };
        const page = async (path: string) => String(await s3.read(`docs/${path}`));

        before(async () => {
            platform = await PlatformServer.start();
            platform.archive = (request, response) =>
                response.end(bundles[/archives\/(\w+)\.tar/.exec(request.url ?? "")?.[1] ?? ""]);
            s3 = await S3Server.start();
            plugin = kind === "of the plugin" ? await PluginFolder.create() : undefined;
            stack = await EngineStack.create({
                program: programOf(inputs()),
                config: { "static-export:baseUrl": platform.url },
                secret: {
                    "static-export:adminApiKey": adminApiKey,
                    "static-export:mirrorAccessKeyId": credentials.accessKeyId,
                    "static-export:mirrorSecretAccessKey": credentials.secretAccessKey,
                },
                pathFolders: plugin?.pathFolders ?? [],
            });
        });
        after(async () => {
            await stack.remove();
            await plugin?.remove();
            await s3.stop();
            platform.stop();
        });

        it("previews without a request, publishes, and then shows no diff", async () => {
            await stack.succeed("preview");
            assert.deepEqual([platform.bundleRequests, await s3.keys()], [0, []]);
            await stack.up();
            assert.equal(await page("index.html"), "home");
            assert.equal(await stack.output("uploadedFiles"), 2);
            const { output } = await stack.succeed("up", "--yes", "--skip-preview", "--expect-no-changes");
            assert.match(output, /2 unchanged/);
            for (const text of [output, await stack.writtenText()]) {
                assert.ok(
                    !text.includes(credentials.secretAccessKey) && !text.includes("=s3cr3t"),
                    "a secret is clear",
                );
            }
        });

        it("sends what another job changes, and goes back without the platform", async () => {
            await declare({ jobId: "se_2" });
            await stack.up();
            assert.deepEqual(await stack.output("changedPaths"), ["/index.html"]);
            const { downloads } = platform;
            await declare({ jobId: "se_2", pin: "se_1" });
            await stack.up();
            assert.equal(await page("index.html"), "home");
            assert.deepEqual([await stack.output("servedJobId"), await stack.output("uploadedFiles")], ["se_1", 0]);
            assert.equal(platform.downloads, downloads);
        });

        it("keeps its files when it is replaced by force, and when it is deleted", async () => {
            const [urn = ""] =
                /urn:pulumi:\S+BucketSite::docs/.exec((await stack.succeed("stack", "export")).stdout) ?? [];
            await stack.succeed("up", "--yes", "--skip-preview", "--replace", urn.replace(/".*/, ""));
            assert.equal(await page("index.html"), "home");
            await stack.succeed("destroy", "--yes", "--skip-preview");
            assert.equal(await page("index.html"), "home");
        });
    });
}
