import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ensurePulumi, ensureTool, run } from "@pulumi-static-export/toolchain";
import { nextVersion } from "../../../../dev/release/build-version.js";
import { bundlePlugin } from "../../../../plugin/bundle-plugin.mjs";

const onProgress = (line: string): void => console.log(line);

/** The plugin as `npm run plugin` makes it, and the language host of YAML programs: folders for PATH. */
export class PluginFolder {
    private constructor(
        readonly folder: string,
        readonly pathFolders: readonly string[],
    ) {}

    static async create(): Promise<PluginFolder> {
        const yamlHost = await ensureTool("pulumi-language-yaml", { onProgress });
        const folder = await mkdtemp(join(tmpdir(), "static-export-plugin-"));
        await bundlePlugin(folder, nextVersion());
        return new PluginFolder(folder, [folder, dirname(yamlHost)]);
    }

    /** Runs `pulumi package gen-sdk`, and gives the folder of what it has written. */
    async generateSdk(language: "dotnet" | "go" | "java" | "nodejs" | "python"): Promise<string> {
        const { command, env } = await ensurePulumi({ onProgress });
        const hosts = join(this.folder, "generators");
        await mkdir(hosts, { recursive: true });
        await symlink(
            await ensureTool("pulumi-sdk-generator", { onProgress }),
            join(hosts, `pulumi-language-${language}`),
        );
        const sdks = join(this.folder, "sdks");
        const plugin = join(this.folder, "pulumi-resource-static-export");
        await run(command, ["package", "gen-sdk", plugin, "--language", language, "--out", sdks], {
            env: { ...env, PATH: [hosts, env["PATH"]].join(delimiter), PULUMI_HOME: join(this.folder, "home") },
        });
        return join(sdks, language);
    }

    async remove(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true });
    }
}
