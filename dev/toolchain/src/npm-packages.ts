import { writeFile } from "node:fs/promises";
import path from "node:path";
import { toolFolder } from "./cache/cache.js";
import { ensureCached } from "./cache/ensure-cached.js";
import { ToolUnavailableError } from "./running/errors.js";
import { exists } from "./running/files.js";
import { withHeartbeat } from "./running/heartbeat.js";
import { type EnsureOptions, reporter } from "./running/options.js";
import { CommandError, run } from "./running/run.js";

/** An npm package that only specs use, and that would make this workspace's lock file much longer. */
export interface NpmPackage {
    readonly name: string;
    readonly version: string;
    /** Set for a package of another system, which an emulator runs. */
    readonly isForeign?: boolean;
}

/** An emulator of Azure's storage, for specs. */
export const azurite: NpmPackage = { name: "azurite", version: "3.35.0" };

/** The inspector of the Model Context Protocol, for specs. */
export const mcpInspector: NpmPackage = { name: "@modelcontextprotocol/inspector", version: "2.12.0" };

/** Changes expressions one at a time, for `npm run mutants`. */
export const instrumenter: NpmPackage = { name: "@stryker-mutator/instrumenter", version: "10.0.0" };

/**
 * Returns the folder of a package, which npm installs into the cache together with its dependencies.
 *
 * @throws {ToolUnavailableError} when npm fails.
 */
export async function ensureNpmPackage(wanted: NpmPackage, options: EnsureOptions = {}): Promise<string> {
    const { name, version } = wanted;
    const folder = toolFolder(`npm-${name.replace("@", "").replace("/", "-")}`, version);
    const isThere = () => exists(path.join(folder, "package-lock.json"));
    const doing = `installing ${name} ${version}`;
    const make = async (partialFolder: string) => {
        const texts = { started: doing, ended: `Installed ${name} ${version}` };
        await withHeartbeat(texts, { report: reporter(options) }, () => install(partialFolder, wanted, options));
        return partialFolder;
    };
    return path.join(await ensureCached({ folder, isThere, doing, make }, options), "node_modules", name);
}

async function install(
    cwd: string,
    { name, version, isForeign = false }: NpmPackage,
    { signal }: EnsureOptions,
): Promise<void> {
    await writeFile(path.join(cwd, "package.json"), '{ "private": true }\n');
    const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    try {
        const forced = isForeign ? ["--force"] : [];
        await run("npm", ["install", ...quietly, ...forced, `${name}@${version}`], { cwd, signal });
    } catch (error) {
        if (!(error instanceof CommandError)) {
            throw error;
        }
        const advice = "Check that this machine reaches the npm registry.";
        throw new ToolUnavailableError(`${name} ${version}`, [error.lastLine], advice, error.lastLines(10), {
            cause: error,
        });
    }
}
