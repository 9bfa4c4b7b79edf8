import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensurePulumi, ensureTool } from "@pulumi-static-export/toolchain";
import { yamlProgram } from "./support/yaml-program.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("npm run plugin", () => {
    let folder: string;
    let version: string;
    let pulumi: (...args: string[]) => Promise<string>;

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-plugin-"));
        const { command, env } = await ensurePulumi();
        const yamlHost = dirname(await ensureTool("pulumi-language-yaml"));
        const settings = {
            ...process.env,
            ...env,
            PATH: [yamlHost, env["PATH"]].join(delimiter),
            PULUMI_HOME: join(folder, "home"),
            PULUMI_BACKEND_URL: `file://${folder}`,
            PULUMI_CONFIG_PASSPHRASE: "",
        };
        pulumi = async (...args) => (await run(command, args, { env: settings, maxBuffer: 1024 ** 2 * 8 })).stdout;
        await run("npm", ["run", "plugin", "--", join(folder, "plugin")], { cwd: root });
        version = (await readFile(join(folder, "plugin", "version"), "utf8")).trim();
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it("writes a plugin whose schema Pulumi accepts without warnings", async () => {
        const schema = await pulumi("package", "get-schema", join(folder, "plugin", "pulumi-resource-static-export"));
        assert.match(schema, /"static-export:index:StaticExportBundle"/);
        await writeFile(join(folder, "schema.json"), schema);
        assert.equal(await pulumi("schema", "check", join(folder, "schema.json")), "");
    });

    it("writes a plugin that Pulumi can install from its folder and find by its version", async () => {
        const file = join(folder, "plugin");
        await pulumi("plugin", "install", "resource", "static-export", version, "--file", file);
        const installed = join(folder, "home", "plugins", `resource-static-export-v${version}`);
        assert.deepEqual((await readdir(installed)).sort(), (await readdir(file)).sort());
        assert.match(
            await pulumi("package", "get-schema", `static-export@${version}`),
            /"static-export:index:BundleMirror"/,
        );
        const project = join(folder, "project");
        await mkdir(project);
        await writeFile(join(project, "Pulumi.yaml"), yamlProgram({ domain: "docs.example.com" })["Pulumi.yaml"]!);
        await pulumi("install", "--cwd", project);
        await pulumi("stack", "init", "dev", "--cwd", project);
        assert.match(await pulumi("preview", "--cwd", project), /\+ 2 to create/);
    });
});
