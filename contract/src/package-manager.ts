import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

type PackageManager = "npm" | "pnpm" | "yarn";

interface Required {
    readonly name?: string;
}

interface Manifest {
    readonly packageManager?: string;
    readonly devEngines?: { readonly packageManager?: Required | readonly Required[] };
    readonly workspaces?: unknown;
}

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

/**
 * Returns the command that runs a program of the project's packages. npx refuses to run in a folder whose package.json
 * names another manager in `devEngines`, as `pnpm init` writes it.
 */
export function runCommand(folder: string, command: string): string {
    const required = requiredManagers(manifestIn(folder));
    const { manager } = findPackageManager(folder);
    return required.length === 0 || required.includes("npm") ? `npx --no -- ${command}` : `${manager} exec ${command}`;
}

/**
 * Returns the files that a new folder needs if it is inside a project of Yarn 2 or later without workspaces: Yarn then
 * installs only in folders that are projects, too.
 */
export function filesOfSeparateProject(folder: string): Record<string, string> {
    return isOutsideOfWorkspaces(folder) ? { "yarn.lock": "", ".yarnrc.yml": "nodeLinker: node-modules\n" } : {};
}

function isOutsideOfWorkspaces(folder: string): boolean {
    const { manager, place } = findPackageManager(folder);
    const isInside = manager === "yarn" && place !== resolve(folder);
    return isInside && !isYarn1(place) && manifestIn(place)?.workspaces === undefined;
}

/** Returns the project's folder if Yarn installs without `node_modules`, where `npx` and Pulumi look. */
export function findPlugAndPlay(folder: string): string | undefined {
    const { manager, place } = findPackageManager(folder);
    if (manager !== "yarn" || isOutsideOfWorkspaces(folder)) {
        return undefined;
    }
    const hasNoModules = !isYarn1(place) && !/^nodeLinker: *["']?node-modules/m.test(read(place, ".yarnrc.yml"));
    return hasNoModules ? place : undefined;
}

/** pnpm and Yarn 1 add packages to the root of a workspace only on request. */
function optionsOfRoot(place: string, manager: PackageManager): string[] {
    if (manager === "pnpm" && existsSync(join(place, pnpmWorkspace))) {
        return ["--workspace-root"];
    }
    const hasWorkspaces = manifestIn(place)?.workspaces !== undefined;
    return manager === "yarn" && hasWorkspaces && isYarn1(place) ? ["-W"] : [];
}

function isYarn1(place: string): boolean {
    return /^# yarn lockfile v1$/m.test(read(place, "yarn.lock"));
}

/**
 * Returns the manager, and the folder that shows it: the project's own, or one around it. A project without such a
 * folder gets the manager that runs this program, as in `pnpm create`.
 */
export function findPackageManager(
    folder: string,
    env: NodeJS.ProcessEnv = process.env,
): { manager: PackageManager; place: string } {
    const own = resolve(folder);
    for (let place = own; ; place = dirname(place)) {
        const manager = managerIn(place);
        if (manager !== undefined) {
            return { manager, place };
        }
        if (place === dirname(place)) {
            return { manager: env["npm_config_user_agent"]?.startsWith("pnpm/") ? "pnpm" : "npm", place: own };
        }
    }
}

/** The manager that the manifest names, or the one that has written files here. */
function managerIn(place: string): PackageManager | undefined {
    const manifest = manifestIn(place);
    // Corepack also reads the first field.
    const named = [String(manifest?.packageManager).split("@")[0], ...requiredManagers(manifest)];
    // A lock file without a package.json is a leftover.
    const isProof = (file: string) =>
        (manifest !== undefined || file === pnpmWorkspace) && existsSync(join(place, file));
    return (proofs.find(([, manager]) => named.includes(manager)) ?? proofs.find(([file]) => isProof(file)))?.[1];
}

/** The names of the managers that npm and pnpm accept in a project. */
function requiredManagers(manifest: Manifest | undefined): (string | undefined)[] {
    return [manifest?.devEngines?.packageManager ?? []].flat().map((each) => each?.name);
}

function manifestIn(place: string): Manifest | undefined {
    try {
        return JSON.parse(read(place, "package.json")) as Manifest;
    } catch {
        return undefined;
    }
}

/** The file's text, or an empty one if there is no file. */
function read(folder: string, name: string): string {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
}
