import path from "node:path";
import which from "which";
import { cachedBinary, isExecutable, toolFolder } from "./cache/cache.js";
import { ensureCached } from "./cache/ensure-cached.js";
import { ensureGoTool } from "./ways/ensure-go-tool.js";
import { ToolUnavailableError } from "./running/errors.js";
import { type EnsureOptions } from "./running/options.js";
import { ensurePulumi } from "./pulumi.js";
import { CommandError, run } from "./running/run.js";
import { goTools } from "./cache/tools.js";
import { firstWay, Missing, type Way } from "./ways/ways.js";

const tool = goTools["pulumi-resource-kubernetes"];

/** The release that matches the `@pulumi/kubernetes` version this workspace pins. */
const officialVersion = "4.34.2";

/**
 * Returns the path of a Kubernetes provider: the one on PATH, otherwise the official release, downloaded by the engine,
 * otherwise one built with Go. The engine uses the provider if its folder is on PATH.
 *
 * @throws {ToolUnavailableError} when every attempt fails; it gives the reason for each.
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
            const isThere = () => isExecutable(binary);
            const make = (partialFolder: string) => download(partialFolder, options);
            await ensureCached({ folder, isThere, doing: "downloading the Kubernetes provider", make }, options);
            return binary;
        },
    };
}

/** Returns the folder where the engine installed the provider. */
async function download(pulumiHome: string, options: EnsureOptions): Promise<string> {
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
    return path.join(pulumiHome, "plugins", `resource-kubernetes-v${officialVersion}`);
}
