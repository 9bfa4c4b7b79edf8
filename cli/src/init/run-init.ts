import { beginningOf, isDomain, trimTrailing } from "@pulumi-static-export/contract";
import { bucketName } from "@pulumi-static-export/contract/bucket";
import { filesOfSeparateProject } from "@pulumi-static-export/contract/package-manager";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { createClient } from "../command-line/admin-client.js";
import { UsageError } from "../command-line/usage-error.js";
import { pathFrom } from "./path-from.js";
import { enterFolder, findKeyFile, installCommands, stackCommands } from "./next-commands.js";
import { type Language, type Project, type Target, writeProject } from "./project-files.js";

export interface InitOptions {
    domain: string;
    for: Target;
    language: Language;
    name?: string;
    stack: string;
    baseUrl?: string;
    bucket?: string;
    chart?: string;
}

/** The address on which `static-export serve` listens. */
export const ownService = "http://127.0.0.1:8787";

/** Files that a folder may already contain; they are not changed. */
const optionalFiles = [".gitignore", ".mintignore", ".yarnrc.yml", "package.json", "yarn.lock"];

/** Writes a Pulumi project into a folder, and prints the commands that come next. @throws UsageError */
export async function runInit(folder: string, options: InitOptions): Promise<void> {
    const project = readProject(folder, options);
    await mkdir(folder, { recursive: true });
    // Reports an unsuitable package manager before anything is written.
    const installation = await installCommands(folder, project);
    // Without a package.json, npm would install into a project around the folder.
    const ofPackages =
        project.language === "typescript"
            ? { ...filesOfSeparateProject(folder), "package.json": writeManifest(folder) }
            : {};
    await writeFiles(folder, { ...ofPackages, ...writeProject(project) });
    printCommands([...enterFolder(folder), ...installation, ...stackCommands(project, findKeyFile(folder))]);
}

/** The title of commands to type into the terminal in which the command ran. */
export const nextSteps = "Next, in this order:";

export function printSteps(title: string, commands: readonly string[]): void {
    console.log([title, ...commands.map((command) => `  ${command}`)].join("\n"));
}

/** Prints the commands up to the first `pulumi up`, and what they mean. */
export function printCommands(commands: readonly string[]): void {
    printSteps(nextSteps, commands);
    const lines = [
        "The login stores the state on this machine; without --local, it stores the state in Pulumi Cloud. The stack " +
            "gets a passphrase, which",
        "Pulumi asks for or reads from PULUMI_CONFIG_PASSPHRASE. The preview sends no request and needs no key.",
    ];
    console.log(lines.join("\n"));
}

/**
 * Writes a project's files, by name, into a folder, and prints their names. Never changes a file.
 *
 * @throws UsageError if the folder already contains one of the files; nothing is then written
 */
export async function writeFiles(folder: string, all: Readonly<Record<string, string>>): Promise<void> {
    // Also links whose target is missing: nothing can be written in their place.
    const existing = Object.keys(all).filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }));
    const conflicts = existing.filter((name) => !optionalFiles.includes(name));
    // Pulumi would find the other project file, too.
    conflicts.push(...["Pulumi.yml", "Pulumi.json"].filter((name) => existsSync(join(folder, name))));
    if (conflicts.length > 0) {
        throw new UsageError(
            `${conflicts.join(", ")} exist${conflicts.length === 1 ? "s" : ""} in ${resolve(folder)}, and this command ` +
                "overwrites nothing: pass another folder, such as my-project.",
        );
    }
    const written = Object.entries(all).filter(([name]) => !existing.includes(name));
    for (const [name, text] of written) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text, { flag: "wx" });
    }
    const lines = [
        ...(written.length === 0 ? [] : [`Wrote ${written.map(([name]) => join(folder, name)).join(", ")}.`]),
        ...existing.map((name) => `Did not change ${join(folder, name)}${adviceOn(folder, name, all[name])}`),
    ];
    console.log(lines.join("\n"));
}

/** Names the lines that an existing list of ignored files lacks, so that nobody commits or publishes such files. */
function adviceOn(folder: string, name: string, text = ""): string {
    if (!name.endsWith("ignore") || !existsSync(join(folder, name))) {
        return ".";
    }
    const lines = readFileSync(join(folder, name), "utf8").split(/\r?\n/);
    const has = (entry: string) => lines.some((line) => line.replace(/^\/|\/$/g, "") === entry.replace(/\/$/, ""));
    const missing = text.split("\n").filter((entry) => entry !== "" && !has(entry));
    return missing.length === 0 ? "." : `: add ${missing.join(", ")} to it.`;
}

/** @throws UsageError */
export function assertDomain(domain: string): void {
    if (!isDomain(domain)) {
        throw new UsageError(`--domain is "${domain}", but it must be a host name only, such as docs.example.com.`);
    }
}

/** @throws UsageError if an option is invalid */
export function readProject(folder: string, options: InitOptions): Project {
    const { domain, for: target, language, stack, bucket, chart } = options;
    assertDomain(domain);
    if (target === "bucket" && bucket === undefined) {
        throw new UsageError("--for bucket needs --bucket with the name of an existing bucket.");
    }
    if (target !== "bucket" && bucket !== undefined) {
        throw new UsageError(`--bucket needs --for bucket, but --for is ${target}.`);
    }
    if (bucket !== undefined && !bucketName.test(bucket)) {
        throw new UsageError(`--bucket is "${bucket}", but it must be the name of a bucket, such as docs-bundles.`);
    }
    const needsChart = target === "cluster" && language !== "typescript";
    if (needsChart && chart === undefined) {
        throw new UsageError(
            `--for cluster --language ${language} needs --chart: the folder charts/documentation-site of a clone, or the ` +
                "oci:// address of this chart in your registry.",
        );
    }
    if (!needsChart && chart !== undefined) {
        throw new UsageError(
            "--chart needs --for cluster in YAML or Python: TypeScript programs use the chart of the package.",
        );
    }
    const baseUrl = options.baseUrl ?? process.env["STATIC_EXPORT_BASE_URL"] ?? ownService;
    // Only validates the address; sends no request.
    createClient({ baseUrl }, { STATIC_EXPORT_ADMIN_API_KEY: "unused" });
    const name = options.name ?? nameOf(folder);
    assertName("--name", name);
    assertName("--stack", stack);
    return { name, stack, target, language, baseUrl, domain, bucket, chart: chart && chartFrom(folder, chart) };
}

/** Makes the chart's path relative to the project, because it is part of the state, which other machines also use. */
function chartFrom(folder: string, chart: string): string {
    if (/^oci:\/\//.test(chart)) {
        return chart;
    }
    if (!existsSync(join(chart, "Chart.yaml"))) {
        throw new UsageError(`--chart is ${chart}, but there is no ${join(chart, "Chart.yaml")}.`);
    }
    return pathFrom(folder, chart);
}

/** Removes accents, and replaces the other characters that Pulumi does not accept in names. */
export function nameOf(folder: string): string {
    const letters = basename(resolve(folder))
        .normalize("NFKD")
        .replace(/\p{M}+/gu, "");
    const name = letters.replace(/[^\w.-]+/g, "-").replace(/^[.-]+/, "");
    return trimTrailing(beginningOf(name, 100), ".-") || "docs";
}

/** Returns the package.json of a new folder. */
export function writeManifest(folder: string, scripts: Readonly<Record<string, string>> = {}): string {
    // Yarn 1 refuses a workspace without a name or a version, and npm a name with a capital letter or "_" in front.
    const name = nameOf(folder).toLowerCase().replace(/^_+/, "") || "docs";
    return `${JSON.stringify({ name, version: "0.0.0", private: true, scripts }, undefined, 2)}\n`;
}

function assertName(option: string, name: string): void {
    if (!/^[\w][\w.-]{0,99}$/.test(name)) {
        throw new UsageError(`${option} is "${name}", but it must have 1 to 100 letters, digits, dots, "-" or "_".`);
    }
}
