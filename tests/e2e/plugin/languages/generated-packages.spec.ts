import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ensureDebianPackages, run } from "@pulumi-static-export/toolchain";
import schema from "../../../../plugin/src/schema.json" with { type: "json" };
import { guideProgram } from "../support/guide-program.js";
import { PluginFolder } from "../support/plugin-folder.js";

const guideInputs = { domain: "docs.example.com", version: "2026-11-01" };

/** Languages whose hosts are not available here. */
describe("the plugin's generated packages", () => {
    let plugin: PluginFolder;
    let program: string;

    before(async () => {
        plugin = await PluginFolder.create();
        program = await mkdtemp(join(tmpdir(), "static-export-java-"));
    });
    after(async () => {
        await plugin.remove();
        await rm(program, { recursive: true, force: true });
    });

    it("compile in Java with the guide's program", async () => {
        await ensureDebianPackages(["maven", "default-jdk-headless"]);
        await cp(await plugin.generateSdk("java"), join(program, "sdks", "java"), { recursive: true });
        for (const [name, text] of Object.entries(guideProgram("java", guideInputs))) {
            await mkdir(dirname(join(program, name)), { recursive: true });
            await writeFile(join(program, name), text);
        }
        await run("mvn", ["--quiet", "--batch-mode", "compile"], { cwd: program });
        assert.ok((await stat(join(program, "target", "classes", "docs", "App.class"))).isFile());
    });

    it("have every resource in C#", async () => {
        const sdk = await plugin.generateSdk("dotnet");
        for (const token of Object.keys(schema.resources)) {
            const code = await readFile(join(sdk, `${token.split(":").at(-1)}.cs`), "utf8");
            assert.match(code, /namespace ExampleOwner\.StaticExport\b/);
            assert.ok(code.includes(`ResourceType("${token}")`), token);
        }
    });
});
