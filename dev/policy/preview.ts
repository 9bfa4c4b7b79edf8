/**
 * `npm run policy -- …` runs `pulumi preview …` with the policy pack of this checkout: as an executable
 * file, which starts faster, or as a folder if the engine is too old for that.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensurePulumi } from "@pulumi-static-export/toolchain";

const folder = fileURLToPath(new URL("../../policy/", import.meta.url));

/**
 * Returns the pack's folder for engines before 3.255, and on Windows, which ignores a script's `#!` line; otherwise,
 * returns the executable file.
 */
export function packFor(version: string, platform: NodeJS.Platform = process.platform): string {
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const takesFile = platform !== "win32" && (major > 3 || (major === 3 && minor >= 255));
    return takesFile ? `${folder}bin/policy-pack.mjs` : folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const { command, version, env } = await ensurePulumi({ onProgress: (line) => console.log(line) });
    const { status } = spawnSync(command, ["preview", "--policy-pack", packFor(version), ...process.argv.slice(2)], {
        // npm runs scripts in the checkout's folder, but the user's relative paths start from the folder where the user
        // typed the command.
        cwd: process.env.INIT_CWD,
        env: { ...process.env, ...env },
        stdio: "inherit",
    });
    process.exitCode = status ?? 1;
}
