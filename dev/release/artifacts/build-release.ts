/**
 * npm run release:build -- FOLDER: writes every artifact of a release into a folder. RELEASE_OWNER is the
 * owner's name; the version is that of the checkout, or RELEASE_VERSION.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensurePythonPrograms, ensureTool, pythonPrograms, run } from "@pulumi-static-export/toolchain";
import { buildVersion } from "../names/build-version.js";
import { copyChart, finishChart } from "./chart-files.js";
import { writeDotnetProject } from "./dotnet-project.js";
import { generateSdk } from "./generate-sdk.js";
import { packMaven } from "./java-package.js";
import { requireOwner, withOwner } from "../names/owner-names.js";
import { packPackages } from "./pack.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface Release {
    readonly version: string;
    readonly owner: string;
    /**
     * Contains `npm/`, `python/`, `maven/`, `dotnet/`, `go/`, `plugin/`, `charts/` and `gitlab/`; then `image/` and
     * `sbom/`.
     */
    readonly folder: string;
    /** The platforms of the plugin's archives; all by default. */
    readonly platforms?: readonly string[];
}

/** @returns the folder of the plugin and its archives */
export async function buildPlugin({ version, owner, folder: release, platforms }: Release): Promise<string> {
    const folder = join(release, "plugin");
    const archives =
        platforms?.length === 0 ? [] : ["--archives", ...(platforms ?? []).flatMap((each) => ["--platform", each])];
    await run("npm", ["run", "plugin", "--", folder, ...archives], {
        cwd: root,
        env: { RELEASE_VERSION: version, RELEASE_OWNER: owner },
    });
    return folder;
}

/**
 * Builds the packages that Pulumi generates from the plugin: packages for npm, PyPI and Maven, a C# project, and a Go
 * module.
 */
async function buildSdks(release: Release, plugin: string): Promise<void> {
    const work = join(release.folder, "sdks");
    for (const language of ["nodejs", "python", "go", "java", "dotnet"] as const) {
        const sdk = await generateSdk(plugin, language, work);
        cpSync(join(root, "LICENSE"), join(sdk, "LICENSE"));
    }
    await packNodeSdk(join(work, "nodejs"), join(release.folder, "npm"));
    const python = join(await ensurePythonPrograms(pythonPrograms), "python");
    const wheel = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"];
    await run(python, [...wheel, "--wheel-dir", join(release.folder, "python"), join(work, "python")]);
    await packMaven(release, join(work, "java"));
    writeDotnetProject(release.folder, join(work, "dotnet"));
    cpSync(join(work, "go"), join(release.folder, "go"), { recursive: true });
    rmSync(work, { recursive: true });
}

/** Packs the compiled code, as in Pulumi's own packages. */
async function packNodeSdk(sdk: string, destination: string): Promise<void> {
    symlinkSync(join(root, "node_modules"), join(sdk, "node_modules"));
    // TypeScript 6 deprecates the module resolution in packages that Pulumi generates.
    const compiler = join(root, "node_modules", ".bin", "tsc");
    await run(compiler, ["-p", sdk, "--ignoreDeprecations", "6.0"]);
    const { scripts: _scripts, ...manifest } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8")) as Record<
        string,
        unknown
    >;
    const bin = join(sdk, "bin");
    writeFileSync(join(bin, "package.json"), `${JSON.stringify({ ...manifest, main: "index.js" }, undefined, 2)}\n`);
    cpSync(join(sdk, "LICENSE"), join(bin, "LICENSE"));
    mkdirSync(destination, { recursive: true });
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", destination], { cwd: bin });
}

async function packCharts({ owner, folder, version }: Release): Promise<void> {
    const helm = await ensureTool("helm");
    const work = join(folder, "chart-sources");
    for (const chart of ["documentation-site", "documentation-sites", "static-export-service"]) {
        copyChart(join(root, "charts", chart), join(work, chart));
        finishChart(join(work, chart), chart, owner, version);
        if (chart === "documentation-site") {
            await run(process.execPath, [join(root, "sdk", "bundle-pod.mjs"), "--notices", join(work, chart)]);
        }
        await run(helm, ["package", join(work, chart), "--destination", join(folder, "charts")]);
    }
    rmSync(work, { recursive: true });
}

/** Returns the template for GitLab of a release, which names the owner's package in the release's version. */
export function gitlabTemplate(owner: string, version: string): string {
    return withOwner(readFileSync(join(root, "templates", "preview.yml"), "utf8"), owner).replace(
        /(?<=static-export-cli@)[^"]+/,
        version,
    );
}

export async function buildReleases(releases: readonly Release[]): Promise<void> {
    const builds = releases.map(({ version, folder }) => ({ version, destination: join(folder, "npm") }));
    packPackages(builds, releases[0]?.owner);
    for (const release of releases) {
        await buildSdks(release, await buildPlugin(release));
        await packCharts(release);
        mkdirSync(join(release.folder, "gitlab"), { recursive: true });
        writeFileSync(join(release.folder, "gitlab", "preview.yml"), gitlabTemplate(release.owner, release.version));
    }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    const [folder] = process.argv.slice(2);
    if (folder === undefined) {
        console.error("Usage: npm run release:build -- FOLDER");
        process.exit(2);
    }
    const release = { version: buildVersion(), owner: requireOwner(), folder: resolve(folder) };
    await buildReleases([release]);
    console.log(`Wrote release ${release.version} of ${release.owner} to ${release.folder}.`);
}
