import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ScriptedExporter } from "../../service/support/scripted-exporter.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../support/platform.js";
import { PluginFolder } from "./support/plugin-folder.js";
import { yamlProgram } from "./support/yaml-program.js";

describe("a manually started plugin with PULUMI_DEBUG_PROVIDERS, on the real engine,", () => {
    let exporter: ScriptedExporter;
    let platform: Platform;
    let plugin: PluginFolder;
    let child: ChildProcess;
    let stack: EngineStack;

    before(async () => {
        exporter = new ScriptedExporter();
        platform = await Platform.start({ exporter });
        plugin = await PluginFolder.create();
        const env = { ...process.env, STATIC_EXPORT_JOURNAL_DIR: join(plugin.folder, "journal") };
        const command = join(plugin.folder, "pulumi-resource-static-export");
        child = spawn(command, { stdio: ["ignore", "pipe", "inherit"], env });
        const [port] = (await once(createInterface(child.stdout!), "line")) as [string];
        stack = await EngineStack.create({
            program: yamlProgram({ domain, version: "1" }),
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
            // The PATH does not contain the plugin, because YAML programs only need their language host.
            pathFolders: plugin.pathFolders.slice(1),
            env: { PULUMI_DEBUG_PROVIDERS: `static-export:${port}` },
        });
    });
    after(async () => {
        const isRunning = child.exitCode === null && child.signalCode === null;
        const exited = isRunning && once(child, "exit");
        child.kill();
        await exited;
        await stack.remove();
        await plugin.remove();
        await platform.stop();
        assert.ok(isRunning, "the plugin ended with an engine");
    });

    it("serves each engine that attaches, and sends its log lines to that engine", async () => {
        for (const count of [1, 2]) {
            await stack.writeFiles(yamlProgram({ domain, version: String(count) }));
            const [{ output }] = await Promise.all([stack.up(), exporter.nth(count).then((job) => job.complete())]);
            assert.match(output, /export started/);
        }
        assert.equal(platform.count("start"), 2);
    });

    it("serves another run after a cancelled run", async () => {
        await stack.writeFiles(yamlProgram({ domain, version: "3" }));
        const run = stack.start("up", "--yes", "--skip-preview");
        await run.seen(/se_\w+: running/);
        process.kill(-run.child.pid!, "SIGINT");
        assert.notEqual((await run.result).exitCode, 0);
        await (await exporter.nth(3)).complete();
        await stack.up();
        assert.equal(platform.count("start"), 3);
    });
});
