import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { buildVersion } from "../../../../dev/release/names/build-version.js";
import { generateSdk } from "../../../../dev/release/artifacts/generate-sdk.js";
import { bundlePlugin } from "../../../../plugin/bundle-plugin.mjs";

const onProgress = (line: string): void => console.log(line);

/** The folders for PATH with the plugin from `npm run plugin` and the language host for YAML. */
export class PluginFolder {
    private constructor(
        readonly folder: string,
        readonly pathFolders: readonly string[],
    ) {}

    static async create(): Promise<PluginFolder> {
        const yamlHost = await ensureTool("pulumi-language-yaml", { onProgress });
        const folder = await mkdtemp(join(tmpdir(), "static-export-plugin-"));
        await bundlePlugin(folder, buildVersion());
        return new PluginFolder(folder, [folder, dirname(yamlHost)]);
    }

    /** Runs `pulumi package gen-sdk`, and returns the folder of its output. */
    generateSdk(language: Parameters<typeof generateSdk>[1]): Promise<string> {
        return generateSdk(this.folder, language, join(this.folder, "sdks"));
    }

    async remove(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true });
    }
}
