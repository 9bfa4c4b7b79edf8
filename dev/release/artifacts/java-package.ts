import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDebianPackages, run } from "@pulumi-static-export/toolchain";
import { withOwner } from "../names/owner-names.js";

const pom = fileURLToPath(new URL("maven-pom.xml", import.meta.url));

/** Debian's packages that build and run Java programs. */
export const javaPackages = ["maven", "default-jdk-headless"];

/** The name of the package for Java, without its group. */
export const javaArtifact = "static-export";

/**
 * Builds the package that Pulumi generated for Java, with its sources and documentation, into a Maven repository in the
 * folder of the release. Maven builds the package, because Pulumi generates only a Gradle build, and Debian's Gradle is
 * too old.
 *
 * @param sdk - the generated package
 */
export async function packMaven(
    { version, owner, folder }: Readonly<{ version: string; owner: string; folder: string }>,
    sdk: string,
): Promise<void> {
    await ensureDebianPackages(javaPackages);
    const group = groupFolder(owner);
    const resources = join(sdk, "src", "main", "resources", group, javaArtifact);
    mkdirSync(resources, { recursive: true });
    // Writes the same files as the generated build: the package reads its version from one file, and Pulumi reads the
    // plugin's location from the other.
    writeFileSync(join(resources, "version.txt"), version);
    const server = `github://api.github.com/${owner}/pulumi-static-export`;
    writeFileSync(
        join(resources, "plugin.json"),
        JSON.stringify({ resource: true, name: javaArtifact, version, server }),
    );
    cpSync(join(sdk, "LICENSE"), join(sdk, "src", "main", "resources", "META-INF", "LICENSE"));
    writeFileSync(join(sdk, "pom.xml"), withOwner(readFileSync(pom, "utf8"), owner).replace("VERSION", version));
    const repository = `file://${join(folder, "maven")}`;
    await run("mvn", ["--quiet", "--batch-mode", "deploy", `-DaltDeploymentRepository=release::${repository}`], {
        cwd: sdk,
    });
}

/** Returns the folder of the group in a Maven repository. */
export function groupFolder(owner: string): string {
    return withOwner("io/github/exampleowner", owner);
}
