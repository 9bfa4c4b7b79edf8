import assert from "node:assert/strict";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { HeadObjectCommand } from "@aws-sdk/client-s3";
import { stringify } from "yaml";
import { bucket, credentials, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../support/platform.js";
import { PluginFolder } from "./support/plugin-folder.js";

/** A Kubernetes provider without a cluster: every requested object exists immediately. */
const kubernetes = `#!${process.execPath}
const { main } = require(${JSON.stringify(createRequire(import.meta.url).resolve("@pulumi/pulumi/provider"))});
main({
    version: "4.34.2",
    check: async (urn, olds, inputs) => ({ inputs }),
    diff: async () => ({ changes: false }),
    create: async (urn, inputs) => ({ id: "default/docs", outs: inputs }),
    delete: async () => {},
}, process.argv.slice(2));
`;

describe("resource options of the plugin's DocumentationSite, on the real engine,", () => {
    let platform: Platform;
    let s3: S3Server;
    let plugin: PluginFolder;
    let stack: EngineStack;

    const program = (options: Record<string, unknown>) => ({
        "Pulumi.yaml": stringify({
            name: "site",
            runtime: "yaml",
            resources: {
                docs: {
                    type: "static-export:DocumentationSite",
                    properties: {
                        ...{ domain, deploymentType: "client-hosted", chart: "oci://charts/docs", chartVersion: "1" },
                        mirror: { bucket, endpoint: s3.endpoint, deleteOnRemoval: true },
                    },
                    options,
                },
            },
        }),
    });

    before(async () => {
        platform = await Platform.start();
        s3 = await S3Server.start();
        plugin = await PluginFolder.create();
        const folder = join(plugin.folder, "kubernetes");
        await mkdir(folder);
        await writeFile(join(folder, "pulumi-resource-kubernetes"), kubernetes);
        await chmod(join(folder, "pulumi-resource-kubernetes"), 0o755);
        stack = await EngineStack.create({
            program: program({}),
            config: { "static-export:baseUrl": platform.service.url },
            secret: {
                "static-export:adminApiKey": adminApiKey,
                "static-export:mirrorAccessKeyId": credentials.accessKeyId,
                "static-export:mirrorSecretAccessKey": credentials.secretAccessKey,
            },
            pathFolders: [...plugin.pathFolders, folder],
        });
    });
    after(async () => {
        await stack.remove();
        await plugin.remove();
        await s3.stop();
        await platform.stop();
    });

    for (const retainOnDelete of [true, false]) {
        it(`${retainOnDelete ? "keep" : "do not keep"} the mirrored copy with retainOnDelete: ${retainOnDelete}`, async () => {
            await stack.writeFiles(program({ retainOnDelete }));
            await stack.up();
            const { Key } = await mirrored();
            await stack.succeed("destroy", "--yes", "--skip-preview");
            const kept = s3.client.send(new HeadObjectCommand({ Bucket: bucket, Key }));
            await (retainOnDelete ? kept : assert.rejects(kept, /NotFound/));
        });
    }

    async function mirrored(): Promise<{ Key: string }> {
        const mirror = (await resources()).find(({ type }) => type === "static-export:index:BundleMirror");
        return { Key: String(mirror?.outputs["key"]) };
    }

    async function resources() {
        const { stdout } = await stack.succeed("stack", "export");
        type Resource = { type: string; urn: string; outputs: Record<string, unknown> };
        return (JSON.parse(stdout) as { deployment: { resources: Resource[] } }).deployment.resources;
    }
});
