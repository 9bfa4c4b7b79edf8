import { mkdir, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { ensurePulumi, ensureTool, run } from "@pulumi-static-export/toolchain";

/**
 * Runs `pulumi package gen-sdk`.
 *
 * @param plugin - the folder that `npm run plugin` writes
 * @param work - the folder that receives a folder for each language, and Pulumi's files
 * @returns the folder of the generated package
 */
export async function generateSdk(
    plugin: string,
    language: "dotnet" | "go" | "java" | "nodejs" | "python",
    work: string,
): Promise<string> {
    const { command, env } = await ensurePulumi();
    const hosts = join(work, "generators");
    await mkdir(hosts, { recursive: true });
    await symlink(await ensureTool("pulumi-sdk-generator"), join(hosts, `pulumi-language-${language}`));
    const executable = join(plugin, "pulumi-resource-static-export");
    await run(command, ["package", "gen-sdk", executable, "--language", language, "--out", work], {
        env: { ...env, PATH: [hosts, env["PATH"]].join(delimiter), PULUMI_HOME: join(work, "home") },
    });
    return join(work, language);
}
