/** The Node.js that this repository develops and tests with, and how to get it on a machine with another one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

const root = new URL("../../", import.meta.url);

/** The exact version for development, CI and the image. `engines` in package.json is the range that users may have. */
const developmentVersion = readFileSync(new URL(".nvmrc", root), "utf8").trim();

/** Whether a version is in the range of `engines`, `^22.13 || >=24`. */
export function isSupportedNode(version) {
    const [major = 0, minor = 0] = version.split(".").map(Number);
    return major >= 24 || (major === 22 && minor >= 13);
}

/**
 * Installs Node.js from npm into the cache folder, if it is not there yet. Ends the process with one sentence if that
 * fails.
 * @returns {Promise<string>} the path of its executable
 */
export async function ensureNode() {
    const platform = process.platform === "win32" ? "win" : process.platform;
    const name = `node-${platform}-${process.arch}`;
    const tools = join(cacheFolder(), "tools");
    const folder = join(tools, `${name}-${developmentVersion}`);
    const node = join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
    if (!existsSync(node)) {
        console.log(`This is Node.js ${process.versions.node}. Installing Node.js ${developmentVersion} from npm …`);
        mkdirSync(tools, { recursive: true });
        const partial = mkdtempSync(`${folder}.partial-`);
        const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
        const npm = process.platform === "win32" ? "npm.cmd" : "npm";
        const args = ["install", "--prefix", partial, ...options, `${name}@${developmentVersion}`];
        const child = spawn(npm, args, { stdio: ["ignore", "ignore", "inherit"], cwd: partial });
        const [exitCode] = await once(child, "exit").catch(() => []);
        if (exitCode !== 0) {
            rmSync(partial, { recursive: true, force: true });
            console.error(
                `Node.js 22.13 or later, or 24 or later, is needed, but this is ${process.versions.node}. ` +
                    `Node.js ${developmentVersion} could not be installed from npm: install it in another way.`,
            );
            process.exit(1);
        }
        try {
            renameSync(partial, folder);
        } catch (error) {
            // Another run has installed the same version in the meantime.
            rmSync(partial, { recursive: true, force: true });
            if (!existsSync(node)) {
                throw error;
            }
        }
    }
    return node;
}

/** The environment in which this Node.js is first on PATH. */
export function withNode(node) {
    return { ...process.env, PATH: [dirname(node), process.env.PATH ?? ""].join(delimiter) };
}

/** The same folder as in src/cache/cache.ts, which is not compiled yet. */
function cacheFolder() {
    const { STATIC_EXPORT_CACHE_DIR, XDG_CACHE_HOME } = process.env;
    return STATIC_EXPORT_CACHE_DIR
        ? resolve(STATIC_EXPORT_CACHE_DIR)
        : join(XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-static-export");
}
