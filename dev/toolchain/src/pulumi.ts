import { randomUUID } from "node:crypto";
import { chmod, copyFile, rename, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { cachedBinary, isExecutable, toolFolder } from "./cache/cache.js";
import { ensureCached } from "./cache/ensure-cached.js";
import { ensureGoTool } from "./ways/ensure-go-tool.js";
import { downloadPulumi } from "./ways/official-download.js";
import { findOnPath } from "./ways/on-path.js";
import { type EnsureOptions } from "./running/options.js";
import { goTools } from "./cache/tools.js";
import { firstWay, Missing, type Way } from "./ways/ways.js";

/** A Pulumi CLI that runs Node.js programs with dynamic providers. */
export interface Pulumi {
    readonly command: string;
    readonly version: string;
    readonly source: PulumiSource;
    /** Environment variables to add when running the command: PATH, and settings that reduce the command's output. */
    readonly env: Readonly<Record<string, string>>;
}

export type PulumiSource = "path" | "download" | "build";

const { pulumi: tool, "pulumi-language-nodejs": languageHostTool } = goTools;

/**
 * Finds a Pulumi CLI or installs one: the one on PATH, if it is recent enough; otherwise the official download;
 * otherwise a build with Go. `STATIC_EXPORT_PULUMI=path|download|build` allows only one of these sources, so that a CI
 * job tests the intended source and notices a wrong runner image.
 *
 * @throws {ToolUnavailableError} when every attempt fails; it gives the reason for each.
 */
export async function ensurePulumi(options: EnsureOptions = {}): Promise<Pulumi> {
    return firstWay(`pulumi ${tool.version}`, chosenWays(process.env["STATIC_EXPORT_PULUMI"], options), {
        advice: `Install Go 1.26 or later, or put pulumi ${tool.onPath?.minimumVersion} or later on PATH.`,
        ...options,
    });
}

function chosenWays(choice: string | undefined, options: EnsureOptions): Way<Pulumi>[] {
    const ways = [onPathWay, downloadWay(options), buildWay(options)];
    const chosen = ways.filter(({ name }) => !choice || name === choice);
    if (chosen.length === 0) {
        throw new RangeError(`STATIC_EXPORT_PULUMI must be "path", "download" or "build", got "${choice}".`);
    }
    return chosen;
}

const onPathWay: Way<Pulumi> = {
    name: "path",
    async find() {
        const found = await findOnPath(tool);
        return found instanceof Missing ? found : describe(found.command, found.version, "path");
    },
};

function downloadWay(options: EnsureOptions): Way<Pulumi> {
    const folder = toolFolder("pulumi-official", tool.version);
    const command = path.join(folder, "bin", "pulumi");
    const downloaded = describe(command, tool.version, "download");
    return {
        name: "download",
        async find() {
            return (await isExecutable(command)) ? downloaded : new Missing("");
        },
        async make() {
            const isThere = () => isExecutable(command);
            const doing = `downloading pulumi ${tool.version}`;
            const make = (partialFolder: string) => downloadPulumi(tool.version, partialFolder, options);
            await ensureCached({ folder, isThere, doing, make }, options);
            return downloaded;
        },
    };
}

function buildWay(options: EnsureOptions): Way<Pulumi> {
    const make = async () => {
        const command = await ensureGoTool(tool, options);
        const languageHost = await ensureGoTool(languageHostTool, options);
        await bundle(path.dirname(command), languageHost);
        return describe(command, tool.version, "build");
    };
    return {
        name: "build",
        async find() {
            const files = [cachedBinary(tool), cachedBinary(languageHostTool)];
            const found = (await Promise.all(files.map(isExecutable))).every(Boolean);
            return found ? make() : new Missing("");
        },
        make,
    };
}

/**
 * Puts the same files next to the engine as the official download does. The engine loads plugins from its own folder
 * without a warning about PATH, and one folder on PATH is enough to run `pulumi` by hand.
 */
async function bundle(folder: string, languageHost: string): Promise<void> {
    await replace(path.join(folder, path.basename(languageHost)), (file) =>
        symlink(path.relative(folder, languageHost), file),
    );
    const dynamicProviderHost = createRequire(import.meta.url).resolve("@pulumi/pulumi/pulumi-resource-pulumi-nodejs");
    await replace(path.join(folder, path.basename(dynamicProviderHost)), async (file) => {
        await copyFile(dynamicProviderHost, file);
        await chmod(file, 0o755);
    });
}

/** Replaces a file atomically, because an engine may be reading the old file. */
async function replace(file: string, write: (file: string) => Promise<void>): Promise<void> {
    const next = `${file}.${randomUUID()}`;
    await write(next);
    await rename(next, file);
}

function describe(command: string, version: string, source: PulumiSource): Pulumi {
    const PATH = [path.dirname(command), process.env["PATH"] ?? ""].join(path.delimiter);
    return { command, version, source, env: { PATH, PULUMI_SKIP_UPDATE_CHECK: "true" } };
}
