import { existsSync, readFileSync } from "node:fs";
import { join, delimiter } from "node:path";
import { isAtLeast, minPulumiSdk, nextPulumiSdk } from "@pulumi-static-export/contract";
import { addCommand } from "@pulumi-static-export/contract/package-manager";
import { findPackage } from "../project/installed-package.js";
import { findProjectFile, readProgram } from "../project/pulumi-project.js";
import { type Examination } from "./examination.js";
import { findDamagedFiles } from "./find-damaged-files.js";
import { error, type Finding, ok, skipped, warning } from "./finding.js";
import { parseJson } from "./parse-json.js";

const ownPackage = "pulumi-static-export";

/** Checks the packages, or the plugin, that a Pulumi program needs. Without a program, there is nothing to check. */
export async function checkProject(examination: Examination): Promise<Finding[]> {
    const { cwd } = examination.options;
    const settings = findProjectFile(cwd);
    if (settings === undefined) {
        const found = "there is no Pulumi.yaml in this folder; use --cwd for another one";
        return ["Pulumi SDK", ownPackage, "plugins", "chart"].map((check) => skipped(check, found));
    }
    const { folder, runtime = "nodejs" } = readProgram(settings);
    const damaged = findDamagedFiles(settings, folder);
    if (runtime !== "nodejs") {
        return [...damaged, await checkPlugin(examination)];
    }
    return [
        ...damaged,
        checkSdk(examination, folder),
        checkPackage(cwd, folder),
        await checkPlugins(examination, folder),
        checkChart(examination, folder),
    ];
}

function checkSdk({ nodeVersion }: Examination, folder: string): Finding {
    const check = "Pulumi SDK";
    const sdk = findPackage(folder, "@pulumi/pulumi");
    if (sdk === undefined) {
        return error(
            check,
            "@pulumi/pulumi is not installed",
            `Run ${addCommand(folder, ["@pulumi/pulumi"])} in this folder.`,
        );
    }
    if (!isAtLeast(sdk.version, minPulumiSdk) || isAtLeast(sdk.version, nextPulumiSdk)) {
        const fix = `Install @pulumi/pulumi ${minPulumiSdk} or later, below ${nextPulumiSdk}.`;
        return error(check, `@pulumi/pulumi ${sdk.version} was not tested with this package`, fix);
    }
    const minNode = minVersionOf(sdk.engines.node);
    if (minNode !== undefined && !isAtLeast(nodeVersion, minNode)) {
        const fix = `Install Node.js ${minNode} or later, or an earlier @pulumi/pulumi.`;
        return error(check, `@pulumi/pulumi ${sdk.version} needs Node.js ${minNode}, this is ${nodeVersion}`, fix);
    }
    return ok(check, sdk.version);
}

function checkPackage(cwd: string, folder: string): Finding {
    if (existsSync(join(cwd, ".pnp.cjs"))) {
        const fix = "Write nodeLinker: node-modules into .yarnrc.yml, and run yarn install.";
        return error(ownPackage, "Pulumi does not work with yarn's Plug'n'Play", fix);
    }
    const own = findPackage(folder, ownPackage);
    return own === undefined
        ? error(
              ownPackage,
              "Pulumi cannot resolve the package from this folder",
              "Add the package to the dependencies of the program itself: " +
                  `${addCommand(folder, [`./${ownPackage}-<version>.tgz`])}.`,
          )
        : ok(ownPackage, own.version);
}

/** The minimum version of a range such as `>=20.19`; undefined for other forms of ranges. */
function minVersionOf(range: string | undefined): string | undefined {
    const [, version] = /^>=\s*v?(\d+(?:\.\d+)*)$/.exec(range?.trim() ?? "") ?? [];
    return version?.includes(".") ? version : version && `${version}.0`;
}

/** Checks which plugins are installed; Pulumi downloads missing plugins if it has internet access. */
async function checkPlugins({ run }: Examination, folder: string): Promise<Finding> {
    const kubernetes = findPackage(folder, "@pulumi/kubernetes");
    if (kubernetes === undefined) {
        return ok("plugins", "this program needs none");
    }
    const plugins = parseJson<{ name: string; version?: string }[]>(await run("pulumi", ["plugin", "ls", "--json"]));
    if (plugins === undefined) {
        return skipped("plugins", "pulumi could not list them");
    }
    const isInstalled = plugins.some(
        ({ name, version }) => name === "kubernetes" && version?.replace(/^v/, "") === kubernetes.version,
    );
    return isInstalled
        ? ok("plugins", `kubernetes ${kubernetes.version}`)
        : warning(
              "plugins",
              `kubernetes ${kubernetes.version} is not installed; Pulumi will download it`,
              `On machines without network, run pulumi plugin install resource kubernetes ${kubernetes.version} ` +
                  "in their image.",
          );
}

function checkChart({ options: { cwd, chart } }: Examination, program: string): Finding {
    const installed = findPackage(program, ownPackage);
    const folder = chart ?? (installed && join(installed.folder, "charts", "documentation-site"));
    if (folder === undefined) {
        return skipped("chart", `the chart comes with ${ownPackage}, which is missing`);
    }
    const file = join(chart === undefined ? "" : cwd, folder, "Chart.yaml");
    if (!existsSync(file)) {
        const fix =
            chart === undefined
                ? `Install ${ownPackage} again.`
                : "Pass the chart's folder with --chart, as in the program.";
        return error("chart", `there is no ${file}`, fix);
    }
    const text = readFileSync(file, "utf8");
    const field = (name: string) => new RegExp(`^${name}:\\s*["']?([^"'\\s]+)`, "m").exec(text)?.[1] ?? "?";
    return ok("chart", `${field("name")} ${field("version")}`);
}

const check = "plugin";
const program = "pulumi-resource-static-export";

/**
 * Checks that Pulumi finds the plugin that programs in languages other than Node.js need: on the PATH, or installed.
 */
async function checkPlugin({ env, run }: Examination): Promise<Finding> {
    const folder = (env["PATH"] ?? "").split(delimiter).find((each) => each !== "" && existsSync(join(each, program)));
    if (folder !== undefined) {
        return ok(check, `${program} in ${folder}`);
    }
    const plugins = parseJson<{ name: string; kind: string; version?: string }[]>(
        await run("pulumi", ["plugin", "ls", "--json"]),
    );
    const installed = plugins?.find(({ name, kind }) => name === "static-export" && kind === "resource");
    return installed === undefined
        ? error(
              check,
              `${program} is neither on the PATH nor installed`,
              "Create it with npm run plugin -- FOLDER in a checkout of pulumi-static-export, and put that " +
                  "folder on the PATH.",
          )
        : ok(check, `static-export ${installed.version ?? "?"}`);
}
