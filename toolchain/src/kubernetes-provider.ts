import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import which from "which";
import { cachedBinary, isExecutable, toolFolder } from "./cache.js";
import { ensureGoTool, inPartialFolder } from "./ensure-go-tool.js";
import { ToolUnavailableError } from "./errors.js";
import { withLock } from "./lock.js";
import { type EnsureOptions, reporter } from "./options.js";
import { ensurePulumi } from "./pulumi.js";
import { CommandError, run } from "./run.js";
import { goTools } from "./tools.js";
import { firstWay, Missing, type Way } from "./ways.js";

const tool = goTools["pulumi-resource-kubernetes"];

/** The release that goes with the `@pulumi/kubernetes` this workspace pins. */
const officialVersion = "4.34.2";

/**
 * Returns the path of a Kubernetes provider: of the one on PATH, else of the official one, downloaded by the engine,
 * else of one built with Go. The engine takes it once its folder is on PATH.
 *
 * @throws {ToolUnavailableError} when no way leads to one; it names what each of them lacked.
 */
export async function ensureKubernetesProvider(options: EnsureOptions = {}): Promise<string> {
    return firstWay("the Kubernetes provider", [onPathWay, downloadWay(options), buildWay(options)], {
        advice: "Install Go 1.26 or later, or run this once with access to the internet.",
        ...options,
    });
}

const onPathWay: Way<string> = {
    name: "path",
    async find() {
        return (await which(tool.name, { nothrow: true })) ?? new Missing("none is on PATH");
    },
};

function buildWay(options: EnsureOptions): Way<string> {
    const binary = cachedBinary(tool);
    return {
        name: "build",
        find: async () => ((await isExecutable(binary)) ? binary : new Missing("")),
        make: () => ensureGoTool(tool, options),
    };
}

function downloadWay(options: EnsureOptions): Way<string> {
    const folder = toolFolder(`${tool.name}-official`, officialVersion);
    const binary = path.join(folder, tool.name);
    return {
        name: "download",
        find: async () => ((await isExecutable(binary)) ? binary : new Missing("")),
        async make() {
            await mkdir(path.dirname(folder), { recursive: true });
            const report = reporter(options);
            const onWait = () => report("Waiting for another process that is downloading the Kubernetes provider.");
            return withLock(`${folder}.lock`, { onWait, signal: options.signal }, async () => {
                if (!(await isExecutable(binary))) {
                    await inPartialFolder(folder, (partialFolder) => download(partialFolder, folder, options));
                }
                return binary;
            });
        },
    };
}

async function download(pulumiHome: string, folder: string, options: EnsureOptions): Promise<void> {
    const { signal } = options;
    const pulumi = await ensurePulumi(options);
    try {
        await run(pulumi.command, ["plugin", "install", "resource", "kubernetes", officialVersion], {
            env: { ...pulumi.env, PULUMI_HOME: pulumiHome },
            signal,
        });
    } catch (error) {
        if (!(error instanceof CommandError)) {
            throw error;
        }
        throw new ToolUnavailableError(
            `the Kubernetes provider ${officialVersion}`,
            [`the official download failed (${error.lastLine.replace(/^error: /, "")})`],
            "Check the network, then run this again.",
            "",
            { cause: error },
        );
    }
    await rm(folder, { recursive: true, force: true });
    await rename(path.join(pulumiHome, "plugins", `resource-kubernetes-v${officialVersion}`), folder);
}
