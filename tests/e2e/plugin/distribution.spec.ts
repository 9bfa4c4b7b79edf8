import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { credentials } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import { ensurePulumi } from "@pulumi-static-export/toolchain";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("npm run plugin", () => {
    let folder: string;
    let pulumi: (...args: string[]) => Promise<string>;

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-plugin-"));
        const { command, env } = await ensurePulumi();
        const settings = { ...process.env, ...env, PULUMI_HOME: join(folder, "home") };
        pulumi = async (...args) => (await run(command, args, { env: settings, maxBuffer: 1024 ** 2 * 8 })).stdout;
        await run("npm", ["run", "plugin", "--", join(folder, "plugin")], { cwd: root });
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it("writes a plugin whose schema Pulumi takes without a complaint", async () => {
        const schema = await pulumi("package", "get-schema", join(folder, "plugin", "pulumi-resource-static-export"));
        assert.match(schema, /"static-export:index:StaticExportBundle"/);
        assert.equal(await pulumi("schema", "check", join(root, "plugin", "src", "schema.json")), "");
    });

    it("writes a folder that Pulumi's Node.js host can start by way of its PulumiPlugin.yaml", async () => {
        const plugin = join(folder, "plugin");
        assert.equal(
            await readFile(join(plugin, "PulumiPlugin.yaml"), "utf8"),
            "name: static-export\nruntime: nodejs\n",
        );
        // What `npm install` puts there.
        await mkdir(join(plugin, "node_modules", "@pulumi"), { recursive: true });
        const sdk = join(plugin, "node_modules", "@pulumi", "pulumi");
        await symlink(join(root, "node_modules", "@pulumi", "pulumi"), sdk);
        const started = spawn(process.execPath, [join(sdk, "cmd", "run-plugin"), plugin], {
            stdio: ["ignore", "pipe", "inherit"],
        });
        try {
            const [port] = (await once(createInterface(started.stdout), "line")) as [string];
            const client = new providerGrpc.ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
            const info = await new Promise<PluginInfo>((resolve, reject) =>
                client.getPluginInfo(new emptyPb.Empty(), (error, answer) => (error ? reject(error) : resolve(answer))),
            );
            client.close();
            assert.equal(info.getVersion(), "0.1.0");
        } finally {
            started.kill();
        }
    });
});
