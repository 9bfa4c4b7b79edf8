import { addCommand, findPackageManager, findPlugAndPlay } from "@pulumi-static-export/contract/package-manager";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../command-line/usage-error.js";

/**
 * Returns the command that adds packages to a project, if there are any.
 * @param pnpmVersion - for specs
 * @throws UsageError if the packages would not be in `node_modules`, where `npx` finds commands
 */
export function addPackages(
    folder: string,
    packages: readonly string[],
    isDev = false,
    pnpmVersion = readPnpmVersion,
): string[] {
    if (packages.length === 0) {
        return [];
    }
    const { manager, place: root } = findPackageManager(folder);
    const place = findPlugAndPlay(folder);
    if (place !== undefined) {
        throw new UsageError(
            `Yarn Plug'n'Play in ${place} does not support this command: write nodeLinker: node-modules into ` +
                ".yarnrc.yml, or choose a folder outside of that project.",
        );
    }
    const scripts = manager === "pnpm" ? withScripts(packages).filter((name) => !isDecided(root, name)) : [];
    const approvals =
        scripts.length > 0 && parseInt(pnpmVersion(folder)) >= 11 ? scripts.map((name) => `--allow-build=${name}`) : [];
    return [addCommand(folder, [...approvals, ...packages], isDev)];
}

/**
 * Returns the packages with scripts that come with these packages. From version 11 on, pnpm exits with 1 until somebody
 * decides about such a script, and stores the decision in pnpm-workspace.yaml.
 */
function withScripts(packages: readonly string[]): string[] {
    const names = packages.map((each) => each.replace(/^"?(@[^@]+)@.*$/, "$1"));
    return [
        ...(names.includes("@pulumi/pulumi") ? ["protobufjs"] : []),
        ...(names.includes("@pulumi/kubernetes") ? ["@pulumi/kubernetes"] : []),
    ];
}

/** Whether the project has allowed or refused a package's scripts. pnpm installs nothing if a command contradicts. */
function isDecided(root: string, name: string): boolean {
    const settings = join(root, "pnpm-workspace.yaml");
    return existsSync(settings) && readFileSync(settings, "utf8").includes(name);
}

/** @returns the version that pnpm runs in the folder, or nothing if there is no pnpm */
function readPnpmVersion(folder: string): string {
    const { stdout } = spawnSync("pnpm --version", { cwd: folder, encoding: "utf8", shell: true });
    return stdout;
}
