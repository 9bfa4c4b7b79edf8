import { chmodSync, existsSync } from "node:fs";
import { ensureClusterParts } from "@pulumi-static-export/cluster";
import {
    azurite,
    checkov,
    type EnsureOptions,
    ensureDebianPackages,
    ensureKubernetesProvider,
    ensureNpmPackage,
    ensurePulumi,
    ensurePythonPrograms,
    ensurePythonTool,
    ensureTool,
    hadolint,
    moto,
    pythonPrograms,
    schemathesis,
    wapiti,
    type ToolName,
    zizmor,
} from "@pulumi-static-export/toolchain";
import { type GroupName } from "./groups.js";
import { runTwoAtATime } from "./two-at-a-time.js";

interface Tool {
    /** The groups whose specs use the tool. */
    readonly groups: readonly GroupName[];
    /** Whether only specs of `npm run test:all` use the tool; most of these tools take minutes to build from source. */
    readonly onlyInAll?: boolean;
    /** Whether the specs that need the tool are skipped, and say so, if it cannot be installed. */
    readonly isOptional?: boolean;
    prepare(options: EnsureOptions): Promise<unknown>;
}

const debian = (...names: string[]) => ({
    isOptional: true,
    prepare: (options: EnsureOptions) => ensureDebianPackages(names, options),
});
const go = (name: ToolName) => ({ prepare: (options: EnsureOptions) => ensureTool(name, options) });

/** Downloads come first, because they use little CPU time, and then the smallest builds. */
const allTools: readonly Tool[] = [
    { groups: ["tools", "engine", "browser", "cluster"], ...debian("postgresql", "pgbouncer", "bubblewrap") },
    { groups: ["tools", "browser", "cluster"], ...debian("nginx-light", "libnginx-mod-http-js", "busybox-static") },
    { groups: ["browser", "cluster"], ...debian("chromium") },
    { groups: ["tools"], onlyInAll: true, ...debian("yamllint") },
    // The network of builds.
    {
        groups: ["tools"],
        onlyInAll: true,
        isOptional: true,
        prepare: async (options) => {
            await ensureDebianPackages(["passt", "iproute2"], options);
            letEverybodyOpenTunnels();
        },
    },
    { groups: ["tools", "engine"], isOptional: true, prepare: (options) => ensureNpmPackage(azurite, options) },
    { groups: ["tools"], isOptional: true, prepare: (options) => ensurePythonPrograms(moto, options) },
    ...[schemathesis, wapiti].map((tool) => ({
        groups: ["tools" as const],
        onlyInAll: true,
        isOptional: true,
        prepare: (options: EnsureOptions) => ensurePythonTool(tool, options),
    })),
    {
        groups: ["tools", "engine"],
        onlyInAll: true,
        isOptional: true,
        prepare: (options) => ensurePythonPrograms(pythonPrograms, options),
    },
    ...[zizmor, hadolint, checkov].map((tool) => ({
        groups: ["tools" as const],
        onlyInAll: true,
        prepare: (options: EnsureOptions) => ensurePythonPrograms(tool, options),
    })),
    { groups: ["tools"], ...go("actionlint") },
    { groups: ["tools", "engine", "browser"], ...go("versitygw") },
    { groups: ["engine", "packages", "browser", "cluster"], prepare: (options) => ensurePulumi(options) },
    { groups: ["engine"], ...go("pulumi-language-yaml") },
    { groups: ["tools", "engine", "cluster"], onlyInAll: true, ...go("helm") },
    { groups: ["tools", "cluster"], onlyInAll: true, ...go("oauth2-proxy") },
    { groups: ["engine", "cluster"], onlyInAll: true, ...go("pulumi-language-python") },
    { groups: ["engine"], onlyInAll: true, ...go("pulumi-language-go") },
    { groups: ["engine"], onlyInAll: true, ...go("pulumi-sdk-generator") },
    { groups: ["cluster"], onlyInAll: true, prepare: (options) => ensureClusterParts(options) },
    {
        groups: ["engine", "cluster", "packages"],
        onlyInAll: true,
        prepare: (options) => ensureKubernetesProvider(options),
    },
];

/**
 * Gets the tools of some groups of specs. Specs get the other tools that they need when they run.
 * @throws {ToolUnavailableError} when a required tool cannot be obtained.
 */
export async function prepareTools(
    groups: readonly GroupName[],
    { isAll, onProgress }: { isAll: boolean; onProgress(line: string): void },
): Promise<void> {
    const tools = allTools.filter(
        (tool) => (isAll || !tool.onlyInAll) && tool.groups.some((name) => groups.includes(name)),
    );
    await runTwoAtATime(
        tools.map((tool) => async () => {
            try {
                await tool.prepare({ onProgress });
            } catch (error) {
                if (!tool.isOptional) {
                    throw error;
                }
                onProgress(`${(error as Error).message} Specs that need one are skipped.`);
            }
        }),
    );
}

/** As udev does, which some virtual machines lack: builds of a service that runs as root have their own users. */
function letEverybodyOpenTunnels(): void {
    if (process.getuid?.() === 0 && existsSync("/dev/net/tun")) {
        chmodSync("/dev/net/tun", 0o666);
    }
}
