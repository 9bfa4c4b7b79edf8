import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { bundleOf } from "../../provider/bucket-site/bucket-site-fixture.js";
import { PlatformServer } from "../../provider/bundle-mirror/platform-server.js";
import { bucket, credentials, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { accountKey, AzuriteServer, container } from "../../sdk/publish/support/azurite-server.js";
import { PluginFolder } from "../plugin/support/plugin-folder.js";
import { EngineStack } from "../support/engine-stack.js";
import { isLong, itInLong } from "../../scale.js";

const adminApiKey = "test_0123456789abcdef";
const purgeToken = "s3cr3t-purge-token";
const outputs = ["servedJobId", "releasePrefix", "uploadedFiles", "changedPaths", "earlierJobIds"];
const bundles: Record<string, Buffer> = {
    se_1: bundleOf({ "index.html": "home", "a.html": "a" }),
    se_2: bundleOf({ "index.html": "new home", "a.html": "a" }),
};

type Inputs = Readonly<Record<string, unknown>>;

const kinds = {
    "in a program for Node.js": (inputs: Inputs) => `import { BucketSite } from "pulumi-static-export";
        const site = new BucketSite("docs", ${JSON.stringify(inputs)});
        export const { ${outputs.join(", ")} } = site;`,
    "of the plugin": (inputs: Inputs) => ({
        "Pulumi.yaml": stringify({
            name: "site",
            runtime: "yaml",
            resources: { docs: { type: "static-export:BucketSite", properties: inputs } },
            outputs: Object.fromEntries(outputs.map((name) => [name, `\${docs.${name}}`])),
        }),
    }),
};

/** The kinds of storage, with the inputs and settings for each. */
const storages = {
    "a bucket": async () => {
        const server = await S3Server.start();
        return {
            server,
            place: { bucket, endpoint: server.endpoint },
            secret: {
                "static-export:mirrorAccessKeyId": credentials.accessKeyId,
                "static-export:mirrorSecretAccessKey": credentials.secretAccessKey,
            },
            secretText: credentials.secretAccessKey,
        };
    },
    "a container of Azure": async () => {
        const server = await AzuriteServer.start();
        return {
            server,
            place: { container, endpoint: server.endpoint },
            secret: { "static-export:azureStorageKey": accountKey },
            secretText: accountKey,
        };
    },
    "a folder": async () => {
        const folder = await mkdtemp(join(tmpdir(), "site-folder-"));
        const server = {
            read: (path: string) => readFile(join(folder, path.replace("docs/", ""))),
            keys: () => readdir(folder),
            stop: () => rm(folder, { recursive: true }),
        };
        return { server, place: { folder, prefix: undefined }, secret: {}, secretText: adminApiKey };
    },
};

const cases = Object.entries(kinds).flatMap(([kind, programOf]) =>
    Object.entries(storages).map(([name, start]) => ({ title: `${kind}, in ${name}`, kind, programOf, start })),
);

const chosen = isLong ? cases : cases.slice(0, 1);
for (const { title, kind, programOf, start } of chosen) {
    describe(`BucketSite ${title}, on the real engine`, () => {
        let platform: PlatformServer;
        let storage: Awaited<ReturnType<typeof start>>;
        let plugin: PluginFolder | undefined;
        let stack: EngineStack;

        const inputs = (more: Inputs = {}): Inputs => ({
            ...{ jobId: "se_1", prefix: "docs/", keep: 1, ...storage.place },
            ...more,
        });
        const declare = async (more: Inputs = {}) => {
            const program = programOf(inputs(more));
            await (typeof program === "string" ? stack.writeProgram(program) : stack.writeFiles(program));
        };
        const page = async (path: string) => String(await storage.server.read(`docs/${path}`));

        before(async () => {
            platform = await PlatformServer.start();
            platform.archive = (request, response) =>
                response.end(bundles[/archives\/(\w+)\.tar/.exec(request.url ?? "")?.[1] ?? ""]);
            storage = await start();
            plugin = kind === "of the plugin" ? await PluginFolder.create() : undefined;
            stack = await EngineStack.create({
                program: programOf(inputs()),
                config: { "static-export:baseUrl": platform.url },
                secret: {
                    "static-export:adminApiKey": adminApiKey,
                    "static-export:purgeToken": purgeToken,
                    ...storage.secret,
                },
                pathFolders: plugin?.pathFolders ?? [],
            });
        });
        after(async () => {
            await stack.remove();
            await plugin?.remove();
            await storage.server.stop();
            platform.stop();
        });

        it("previews without sending requests, publishes, and then shows no diff", async () => {
            await stack.succeed("preview");
            assert.deepEqual([platform.bundleRequests, await storage.server.keys()], [0, []]);
            await stack.up();
            assert.equal(await page("index.html"), "home");
            assert.equal(await stack.output("uploadedFiles"), 2);
            const { output } = await stack.succeed("up", "--yes", "--skip-preview", "--expect-no-changes");
            assert.match(output, /2 unchanged/);
            for (const shown of [output, await stack.writtenText()]) {
                assert.ok(!shown.includes(storage.secretText) && !shown.includes("=s3cr3t"), "a secret is clear");
            }
        });

        it("uploads only the changes of another job, and rolls back without the platform", async () => {
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

        itInLong("keeps its files when it is force-replaced or deleted", async () => {
            const [urn = ""] =
                /urn:pulumi:\S+BucketSite::docs/.exec((await stack.succeed("stack", "export")).stdout) ?? [];
            await stack.succeed("up", "--yes", "--skip-preview", "--replace", urn.replace(/".*/, ""));
            assert.equal(await page("index.html"), "home");
            await stack.succeed("destroy", "--yes", "--skip-preview");
            assert.equal(await page("index.html"), "home");
        });
    });
}
