import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

type PackageManager = "npm" | "pnpm" | "yarn";

const pnpmWorkspace = "pnpm-workspace.yaml";

/** The files by which a project shows its package manager. */
const proofs: readonly (readonly [name: string, manager: PackageManager])[] = [
    [pnpmWorkspace, "pnpm"],
    ["pnpm-lock.yaml", "pnpm"],
    ["yarn.lock", "yarn"],
    ["package-lock.json", "npm"],
];

const addCommands: Readonly<Record<PackageManager, readonly [add: string, dev: string]>> = {
    npm: ["npm install", "--save-dev"],
    pnpm: ["pnpm add", "--save-dev"],
    yarn: ["yarn add", "--dev"],
};

/**
 * Returns the command that adds packages to a project, with the package manager of the project or of a folder around
 * it: npm fails in a project that pnpm has installed.
 */
export function addCommand(folder: string, packages: readonly string[], isDev = false): string {
    const { manager, place } = findPackageManager(folder);
    const [add, dev] = addCommands[manager];
    const ofRoot = place === resolve(folder) ? optionsOfRoot(place, manager) : [];
    return [add, ...(isDev ? [dev] : []), ...ofRoot, ...packages].join(" ");
}

/** Returns the project's folder if Yarn installs without `node_modules`, where `npx` and Pulumi look. */
export function findPlugAndPlay(folder: string): string | undefined {
    const { manager, place } = findPackageManager(folder);
    const hasNoModules =
        manager === "yarn" && !isYarn1(place) && !/^nodeLinker: *["']?node-modules/m.test(read(place, ".yarnrc.yml"));
    return hasNoModules ? place : undefined;
}

/** pnpm and Yarn 1 add packages to the root of a workspace only on request. */
function optionsOfRoot(place: string, manager: PackageManager): string[] {
    if (manager === "pnpm" && existsSync(join(place, pnpmWorkspace))) {
        return ["--workspace-root"];
    }
    const hasWorkspaces = manifestIn(place)?.["workspaces"] !== undefined;
    return manager === "yarn" && hasWorkspaces && isYarn1(place) ? ["-W"] : [];
}

function isYarn1(place: string): boolean {
    return /^# yarn lockfile v1$/m.test(read(place, "yarn.lock"));
}

/** @returns the manager, and the folder that shows it: the project's own, or one around it */
export function findPackageManager(folder: string): { manager: PackageManager; place: string } {
    const own = resolve(folder);
    for (let place = own; ; place = dirname(place)) {
        const manager = managerIn(place);
        if (manager !== undefined) {
            return { manager, place };
        }
        if (place === dirname(place)) {
            return { manager: "npm", place: own };
        }
    }
}

/** The manager in the field `packageManager`, which Corepack also reads, or the one that has written files here. */
function managerIn(place: string): PackageManager | undefined {
    const manifest = manifestIn(place);
    const [named] = String(manifest?.["packageManager"]).split("@");
    // A lock file without a package.json is a leftover.
    const isProof = (file: string) =>
        (manifest !== undefined || file === pnpmWorkspace) && existsSync(join(place, file));
    return (proofs.find(([, manager]) => manager === named) ?? proofs.find(([file]) => isProof(file)))?.[1];
}

function manifestIn(place: string): Record<string, unknown> | undefined {
    try {
        return JSON.parse(read(place, "package.json")) as Record<string, unknown>;
    } catch {
        return undefined;
    }
}

/** The file's text, or an empty one if there is no file. */
function read(folder: string, name: string): string {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
}
