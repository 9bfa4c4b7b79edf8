import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const addCommands = {
    npm: { add: "npm install", dev: "--save-dev" },
    pnpm: { add: "pnpm add", dev: "--save-dev" },
    yarn: { add: "yarn add", dev: "--dev" },
} as const;

type PackageManager = keyof typeof addCommands;

/** The files by which a project shows its package manager. */
const proofs: readonly (readonly [name: string, manager: PackageManager])[] = [
    ["pnpm-workspace.yaml", "pnpm"],
    ["pnpm-lock.yaml", "pnpm"],
    ["yarn.lock", "yarn"],
    ["package-lock.json", "npm"],
];

/**
 * Returns the command that adds packages to a project, with the package manager of the project or of a folder around
 * it: npm cannot install a workspace of pnpm.
 */
export function addPackages(folder: string, packages: readonly string[], isDev = false): string[] {
    if (packages.length === 0) {
        return [];
    }
    const { add, dev } = addCommands[findPackageManager(folder)];
    // pnpm adds packages to the root of a workspace only on request.
    const isRoot = existsSync(join(folder, "pnpm-workspace.yaml"));
    const options = [...(isDev ? [dev] : []), ...(isRoot ? ["--workspace-root"] : [])];
    return [[add, ...options, ...packages].join(" ")];
}

function findPackageManager(folder: string): PackageManager {
    for (let place = resolve(folder); ; place = dirname(place)) {
        const manager =
            namedIn(join(place, "package.json")) ?? proofs.find(([name]) => existsSync(join(place, name)))?.[1];
        if (manager !== undefined || place === dirname(place)) {
            return manager ?? "npm";
        }
    }
}

/** The manager in the field `packageManager`, which Corepack also reads. */
function namedIn(manifest: string): PackageManager | undefined {
    try {
        const { packageManager } = JSON.parse(readFileSync(manifest, "utf8")) as { packageManager?: unknown };
        const [name = ""] = String(packageManager).split("@");
        return name in addCommands ? (name as PackageManager) : undefined;
    } catch {
        return undefined;
    }
}
