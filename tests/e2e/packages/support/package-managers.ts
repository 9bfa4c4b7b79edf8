import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedPackage } from "./npm-cache.js";

export type PackageManager = "npm" | "pnpm" | "pnpm 12" | "yarn 1" | "yarn 4" | "yarn 4, Plug'n'Play";

/** The commands of a package manager, and the files that its projects need. */
interface ManagerCommand {
    /**
     * Runs on the project's Node.js instead of the specs' Node.js, because yarn 1 refuses packages for another version.
     */
    install: string[];
    files: Record<string, string>;
    env: Record<string, string>;
}

let registry: Promise<string> | undefined;

/** Reads the registry of this machine's npm, which the other package managers should also use. */
function configuredRegistry(): Promise<string> {
    return (registry ??= promisify(execFile)("npm", ["config", "get", "registry"]).then(({ stdout }) => stdout.trim()));
}

export async function managerCommand(manager: PackageManager): Promise<ManagerCommand> {
    const address = await configuredRegistry();
    switch (manager) {
        case "npm":
            return {
                install: ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"],
                files: {},
                env: {},
            };
        case "pnpm":
            return {
                install: ["node", join(await cachedPackage("pnpm", "10.34.9"), "bin/pnpm.cjs"), "install"],
                files: {},
                env: { npm_config_registry: address, npm_config_ignore_scripts: "true", CI: "true" },
            };
        case "pnpm 12":
            return {
                install: [join(await cachedPackage("pnpm", "12.21.0"), "../@pnpm/exe.linux-x64/pnpm"), "install"],
                files: { "pnpm-workspace.yaml": "allowBuilds:\n  protobufjs: false\n" },
                env: { npm_config_registry: address, CI: "true" },
            };
        case "yarn 1":
            return {
                install: ["node", join(await cachedPackage("yarn", "1.22.22"), "bin/yarn.js"), "install"],
                files: { ".yarnrc": `registry "${address}"\n` },
                env: { YARN_IGNORE_SCRIPTS: "1" },
            };
        case "yarn 4":
        case "yarn 4, Plug'n'Play": {
            const linker = manager === "yarn 4" ? "node-modules" : "pnp";
            const program = join(await cachedPackage("@yarnpkg/cli-dist", "4.18.1"), "bin/yarn.js");
            return {
                install: ["node", program, "install"],
                files: { ".yarnrc.yml": `nodeLinker: ${linker}\nenableTelemetry: false\n`, "yarn.lock": "" },
                env: {
                    YARN_NPM_REGISTRY_SERVER: address,
                    YARN_ENABLE_SCRIPTS: "false",
                    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
                },
            };
        }
    }
}
