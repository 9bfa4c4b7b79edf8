import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { EngineStack } from "../../../tests/e2e/support/engine-stack.js";
import { yamlProgram } from "../../../tests/e2e/plugin/support/yaml-program.js";
import { PluginFolder } from "../../../tests/e2e/plugin/support/plugin-folder.js";
import { InstalledProject } from "../../../tests/e2e/packages/support/installed-project.js";
import { packPackages } from "../../../tests/e2e/packages/support/packed-packages.js";
import { adminApiKey, domain, Platform } from "../../../tests/e2e/support/platform.js";
import { nextVersion } from "../../release/names/build-version.js";
import { cpuSecondsOfChildren } from "../cpu-seconds.js";
import { median } from "../median.js";

/** Elapsed seconds, and CPU seconds, which are more reliable on a busy machine. */
type Figures = [seconds: number, cpuSeconds: number];

/**
 * Installs and runs one bundle in alternating rounds: with the plugin in YAML, and with the dynamic resource in
 * TypeScript.
 */
export async function compareWithDynamic(rounds: number): Promise<void> {
    const platform = await Platform.start();
    const plugin = await PluginFolder.create();
    const settings = {
        config: { "static-export:baseUrl": platform.service.url },
        secret: { "static-export:adminApiKey": adminApiKey },
    };
    const yaml = await EngineStack.create({
        ...settings,
        program: yamlProgram({ domain }),
        pathFolders: plugin.pathFolders,
    });
    const program = `export const { jobId } = new StaticExportBundle("docs", { domain: "${domain}" });`;
    const dynamic = await EngineStack.create({ ...settings, program });
    try {
        const version = nextVersion();
        const plugins: Figures[] = [];
        for (let round = 0; round < rounds; round++) {
            const install = ["resource", "static-export", version, "--file", plugin.folder, "--reinstall"];
            plugins.push(await measure(() => yaml.succeed("plugin", "install", ...install)));
        }
        const { provider } = await packPackages();
        const dependencies = { "@pulumi/pulumi": "3.270.0", "pulumi-static-export": `file:${provider}` };
        let project: InstalledProject | undefined;
        const npm = await measure(async () => {
            project = await InstalledProject.create({ manifest: { dependencies }, files: {} });
        });
        const home = join(yaml.folder, "home", "plugins", `resource-static-export-v${version}`);
        show("install", megabytes(home), plugins, megabytes(join(project!.folder, "node_modules")), [npm]);
        await project?.remove();
        const runs = { create: [[], []], "no change": [[], []] } as Record<string, [Figures[], Figures[]]>;
        for (let round = 0; round < rounds; round++) {
            for (const figures of Object.values(runs)) {
                figures[0].push(await measure(() => yaml.up()));
                figures[1].push(await measure(() => dynamic.up()));
            }
            await yaml.succeed("destroy", "--yes", "--skip-preview");
            await dynamic.succeed("destroy", "--yes", "--skip-preview");
        }
        Object.entries(runs).forEach(([name, [ofPlugin, ofDynamic]]) => show(name, "", ofPlugin, "", ofDynamic));
    } finally {
        await Promise.all([yaml.remove(), dynamic.remove()]);
        await plugin.remove();
        await platform.stop();
    }
}

async function measure(action: () => Promise<unknown>): Promise<Figures> {
    const [startedMs, cpuBefore] = [performance.now(), cpuSecondsOfChildren()];
    await action();
    return [(performance.now() - startedMs) / 1000, cpuSecondsOfChildren() - cpuBefore];
}

function show(name: string, size: string, ofPlugin: Figures[], otherSize: string, ofDynamic: Figures[]): void {
    const medians = (figures: Figures[]) =>
        `${median(figures.map(([seconds]) => seconds)).toFixed(1)} s, ` +
        `processor ${median(figures.map(([, cpuSeconds]) => cpuSeconds)).toFixed(1)} s`;
    console.log(`  one bundle, ${name}: ${medians(ofPlugin)} ${size}; dynamic: ${medians(ofDynamic)} ${otherSize}`);
}

function megabytes(folder: string): string {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    return `(${(bytes / 1e6).toFixed(1)} MB)`;
}
