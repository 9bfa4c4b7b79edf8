import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { bundlePlugin } from "../../../../plugin/bundle-plugin.mjs";

/** The plugin as `npm run plugin` makes it, and the language host of YAML programs: folders for PATH. */
export class PluginFolder {
    private constructor(
        readonly folder: string,
        readonly pathFolders: readonly string[],
    ) {}

    static async create(): Promise<PluginFolder> {
        const yamlHost = await ensureTool("pulumi-language-yaml", { onProgress: (line) => console.log(line) });
        const folder = await mkdtemp(join(tmpdir(), "static-export-plugin-"));
        await bundlePlugin(folder);
        return new PluginFolder(folder, [folder, dirname(yamlHost)]);
    }

    async remove(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true });
    }
}
