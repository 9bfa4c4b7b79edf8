import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
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
        await run("npm", ["run", "plugin", "--", join(folder, "plugin"), "--archives"], { cwd: root });
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it("writes a plugin whose schema Pulumi takes without a complaint", async () => {
        const schema = await pulumi("package", "get-schema", join(folder, "plugin", "pulumi-resource-static-export"));
        assert.match(schema, /"static-export:index:StaticExportBundle"/);
        assert.equal(await pulumi("schema", "check", join(root, "plugin", "src", "schema.json")), "");
    });

    it("writes archives that match their checksums, and that Pulumi installs", async () => {
        const { stdout } = await run("sha256sum", ["--check", "SHA256SUMS"], { cwd: join(folder, "plugin") });
        assert.equal(stdout.match(/: OK/g)?.length, 4);
        const archive = join(folder, "plugin", "pulumi-resource-static-export-v0.1.0-linux-amd64.tar.gz");
        await pulumi("plugin", "install", "resource", "static-export", "0.1.0", "--file", archive);
        assert.match(await pulumi("plugin", "ls"), /static-export\s+resource\s+0\.1\.0/);
    });
});
