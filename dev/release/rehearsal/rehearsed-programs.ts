import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Release } from "../artifacts/build-release.js";
import { titledBlocks } from "./rehearsal-project.js";

const goModules = fileURLToPath(new URL("../../toolchain/go/pulumi-sdk-generator/", import.meta.url));

/** A program in an empty project, and the guide's commands that install its dependencies. */
interface RehearsedProgram {
    readonly name: string;
    readonly files: Readonly<Record<string, string>>;
    /** Installs the previous version. */
    readonly install: string;
    /** Installs the next version. */
    readonly upgrade: string;
}

interface RehearsedReleases {
    readonly previous: Release;
    readonly next: Release;
    /** The npm configuration that names the registry with the owner's packages. */
    readonly npmrc: string;
    /** The address of the next version's archives, as in a release on GitHub. */
    readonly downloads: string;
}

/** Returns the programs. The first program installs the plugin, which the other programs also use. */
export function rehearsedPrograms({ previous, next, npmrc, downloads }: RehearsedReleases): RehearsedProgram[] {
    const commands = titledBlocks("docs/installation-configuration.md", next.owner);
    const programs = titledBlocks("docs/guides/every-language.md", next.owner);
    const node = {
        ".npmrc": npmrc,
        "package.json": '{ "name": "docs", "private": true, "main": "index.ts" }\n',
        "Pulumi.yaml": programs("node/Pulumi.yaml"),
    };
    // The dependency replaces code that the pom.xml in the guide compiles.
    const pom = programs("java/pom.xml").replace(/ *<build>[^]*<\/build>\n/, "");
    const dependency = (version: string) => commands("java").replace("VERSION", version);
    const writePom = (version: string) =>
        `cat > pom.xml <<'END'\n${pom.replace("  </dependencies>", `${dependency(version)}\n$&`)}\nEND`;
    const pulumiForNode = "npm install @pulumi/pulumi@3.270.0 typescript@5";
    return [
        {
            name: "YAML",
            files: { "Pulumi.yaml": programs("yaml/Pulumi.yaml") },
            install:
                `pulumi plugin install resource static-export ${previous.version} ` +
                `--file ${join(previous.folder, "plugin")}`,
            upgrade: commands("plugin")
                .replace("VERSION", next.version)
                .replace(/github:\S+/, downloads),
        },
        {
            name: "TypeScript, dynamic resources",
            files: {
                ...node,
                "index.ts": programs("node/index.ts").replace(`@${next.owner}/static-export`, "pulumi-static-export"),
            },
            install: `${pulumiForNode}\n${commands("dynamic")}`,
            upgrade: `${commands("dynamic")}@latest`,
        },
        {
            name: "TypeScript, plugin",
            files: { ...node, "index.ts": programs("node/index.ts") },
            install: `${pulumiForNode}\n${commands("node")}`,
            upgrade: `${commands("node")}@latest`,
        },
        {
            name: "Python",
            files: {
                "Pulumi.yaml": programs("python/Pulumi.yaml"),
                "__main__.py": programs("python/__main__.py"),
            },
            install: commands("python"),
            upgrade: `${commands("python")} --upgrade`,
        },
        {
            name: "Go",
            files: {
                "Pulumi.yaml": programs("go/Pulumi.yaml"),
                "main.go": programs("go/main.go"),
                // Uses the versions of Pulumi's modules that the toolchain has compiled.
                "go.mod": readFileSync(join(goModules, "go.mod"), "utf8").replace(/^module .*/, "module docs"),
                "go.sum": readFileSync(join(goModules, "go.sum"), "utf8"),
            },
            install: commands("go"),
            upgrade: `${commands("go")}@latest`,
        },
        {
            name: "Java",
            files: {
                "Pulumi.yaml": programs("java/Pulumi.yaml"),
                "src/main/java/docs/App.java": programs("java/src/main/java/docs/App.java"),
            },
            install: writePom(previous.version),
            upgrade: writePom(next.version),
        },
    ];
}
