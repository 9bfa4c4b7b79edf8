import { readFileSync } from "node:fs";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
    ensureDebianPackages,
    ensurePulumi,
    ensurePythonPrograms,
    ensureTool,
    pythonPrograms,
    run,
} from "@pulumi-static-export/toolchain";
import type { PluginFolder } from "./plugin-folder.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A language of Pulumi, and the requirements of its programs besides the plugin. */
export interface ProgramLanguage {
    /** The name in the titles of the guide's programs. */
    readonly name: string;
    /** Generates the plugin's package, and installs the language's host. */
    prepare(plugin: PluginFolder): Promise<PreparedLanguage>;
}

interface PreparedLanguage {
    readonly pathFolders?: readonly string[];
    readonly env?: Record<string, string>;
    /** Adds the package to the dependencies of the program in a folder, like `pulumi package add`. */
    addPackage?(programFolder: string): Promise<void>;
}

export const yaml: ProgramLanguage = { name: "yaml", prepare: () => Promise.resolve({}) };

export const python: ProgramLanguage = {
    name: "python",
    async prepare(plugin) {
        const host = await ensureTool("pulumi-language-python");
        const bin = await ensurePythonPrograms(pythonPrograms);
        const sdk = await plugin.generateSdk("python");
        const installed = join(plugin.folder, "python");
        const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
        await run(join(bin, "python"), [...pip, "--no-build-isolation", "--target", installed, sdk]);
        return { pathFolders: [bin, dirname(host)], env: { PYTHONPATH: installed } };
    },
};

export const go: ProgramLanguage = {
    name: "go",
    async prepare(plugin) {
        const host = await ensureTool("pulumi-language-go");
        const sdk = await plugin.generateSdk("go");
        // The generator's pinned modules, which have been in Go's cache since the generator was built.
        const modules = (file: string) =>
            readFileSync(join(root, "dev", "toolchain", "go", "pulumi-sdk-generator", file), "utf8");
        const [, sdkModule = ""] = /^module (\S+)$/m.exec(await readFile(join(sdk, "go.mod"), "utf8")) ?? [];
        const goMod = [
            modules("go.mod").replace(/^module .*/, "module docs"),
            `require ${sdkModule} v0.0.0`,
            `replace ${sdkModule} => ${sdk}`,
        ];
        return {
            pathFolders: [dirname(host)],
            // Uses the toolchain's settings, so that Go reuses compiled modules.
            env: { CGO_ENABLED: "0", GOFLAGS: "-mod=readonly -buildvcs=false -trimpath", GOWORK: "off" },
            async addPackage(programFolder) {
                await writeFile(join(programFolder, "go.mod"), goMod.join("\n"));
                await writeFile(join(programFolder, "go.sum"), modules("go.sum"));
            },
        };
    },
};

export const node: ProgramLanguage = {
    name: "node",
    async prepare(plugin) {
        const sdk = await plugin.generateSdk("nodejs");
        await symlink(join(root, "node_modules"), join(sdk, "node_modules"));
        // TypeScript 6 deprecates the module resolution in packages that Pulumi generates.
        await run(join(root, "node_modules", ".bin", "tsc"), ["-p", sdk, "--ignoreDeprecations", "6.0"]);
        // The package's compiled code reads its version from the package.json in its folder, as in a release.
        await cp(join(sdk, "package.json"), join(sdk, "bin", "package.json"));
        return {
            async addPackage(programFolder) {
                await writeFile(join(programFolder, "package.json"), '{ "name": "docs", "private": true }\n');
                const { name } = JSON.parse(await readFile(join(sdk, "package.json"), "utf8")) as { name: string };
                const installed = join(programFolder, "node_modules", name);
                await mkdir(dirname(installed), { recursive: true });
                await symlink(join(sdk, "bin"), installed);
            },
        };
    },
};

export const java: ProgramLanguage = {
    name: "java",
    async prepare(plugin) {
        await ensureDebianPackages(["maven", "default-jdk-headless"]);
        const host = dirname(await ensureTool("pulumi-language-java"));
        const { command, env } = await ensurePulumi();
        return {
            pathFolders: [host],
            async addPackage(programFolder) {
                // Finally, this command also compiles the program.
                await run(command, ["package", "add", join(plugin.folder, "pulumi-resource-static-export")], {
                    cwd: programFolder,
                    env: {
                        ...env,
                        PATH: [host, env["PATH"]].join(delimiter),
                        PULUMI_HOME: join(plugin.folder, "home"),
                    },
                });
            },
        };
    },
};
