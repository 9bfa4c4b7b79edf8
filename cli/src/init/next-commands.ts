import { shellWord } from "@pulumi-static-export/contract";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { readManifest } from "../command-line/package-manifest.js";
import { UsageError } from "../command-line/usage-error.js";
import { findPackage } from "../project/installed-package.js";
import { addPackages } from "./add-packages.js";
import { pathFrom } from "./path-from.js";
import { type Project } from "./project-files.js";

const ownPackage = "pulumi-static-export";
/** The owner in the package names of an unpublished build. */
const placeholder = "example--owner";

/** The versions that this release is tested with. */
const furtherPackages = {
    always: ["@pulumi/pulumi@^3.245.0", "typescript@^6.0.3"],
    export: [],
    bucket: ["@aws-sdk/client-s3@^3.700.0"],
    cluster: ["@pulumi/kubernetes@^4.34.2"],
} as const;

/** Returns the command that changes to a folder, unless it is the current one. */
export function enterFolder(folder: string): string[] {
    const place = folder.startsWith("-") ? `./${folder}` : folder;
    return relative(".", folder) === "" ? [] : [`cd ${shellWord(place)}`];
}

/**
 * Returns the commands that install what the program needs.
 *
 * @param further - packages of npm that the user needs, too
 */
export async function installCommands(
    folder: string,
    project: Project,
    further: readonly string[] = [],
): Promise<string[]> {
    const { language } = project;
    return language === "typescript"
        ? addPackages(folder, [...further, ...(await missingPackages(folder, project))])
        : [...addPackages(folder, further), ...(await installPlugin(folder, language))];
}

/**
 * Returns the commands from the installed packages to the first export, for a shell like bash, or on Windows for
 * PowerShell.
 *
 * @param keyFile - the file with the key
 */
export function stackCommands(
    { stack, target }: Project,
    keyFile: string | undefined,
    platform: NodeJS.Platform = process.platform,
): string[] {
    const isWindows = platform === "win32";
    const setKey = "pulumi config set --secret static-export:adminApiKey";
    const file = keyFile && shellWord(keyFile, platform);
    const withKey = isWindows ? `Get-Content ${file} | ${setKey}` : `${setKey} < ${file}`;
    const variables = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"];
    const exported = isWindows
        ? variables.map((name) => `$env:${name} = "…"`)
        : [`export ${variables.map((name) => `${name}=…`).join(" ")}`];
    return [
        "pulumi login --local",
        `pulumi stack init ${stack}`,
        "pulumi preview",
        file === undefined ? setKey : withKey,
        ...(target === "bucket" ? exported : []),
        "pulumi up",
    ];
}

/** The key of a service, as `serve` stores it in the folder in which it runs. */
export const keyFileOfService = ".static-export/admin-api-key";

/** @returns the key file of a service that was started in the folder or the current one, relative to the folder */
export function findKeyFile(folder: string): string | undefined {
    const file = [folder, "."].map((place) => join(place, keyFileOfService)).find(existsSync);
    return file && pathFrom(folder, file);
}

/** The packages that the program cannot resolve yet. */
async function missingPackages(folder: string, { target }: Project): Promise<string[]> {
    const further = [...furtherPackages.always, ...furtherPackages[target]];
    return [
        ...(findPackage(folder, ownPackage) === undefined ? [await ownInstallation(folder)] : []),
        ...further
            .filter((each) => findPackage(folder, each.slice(0, each.lastIndexOf("@"))) === undefined)
            // Without quotes, cmd.exe drops the sign in front of the version.
            .map((each) => `"${each}"`),
    ];
}

/**
 * Returns this command's package for `npm install`, unless the folder has it.
 *
 * @throws UsageError if the package is needed, and is neither in a registry nor a file nearby
 */
export async function commandPackage(folder: string, isNeeded: boolean): Promise<string[]> {
    const { name, version, author } = readManifest();
    if (findPackage(folder, name) !== undefined) {
        return [];
    }
    const packed = await findPacked(folder, "pulumi-static-export-cli");
    if (packed === undefined && author === placeholder && isNeeded) {
        throw new UsageError(
            `This build is not in any registry: put the packed file pulumi-static-export-cli-${version}.tgz into the ` +
                "folder in which you run the command, or pass --no-install.",
        );
    }
    const file = `./pulumi-static-export-cli-${version}.tgz`;
    return [packed === undefined && author !== placeholder ? `${name}@${version}` : shellWord(packed ?? file)];
}

/** A build without an owner is installed from its file: it is not in a registry, where anybody could take its name. */
async function ownInstallation(folder: string): Promise<string> {
    const { version, author } = readManifest();
    const packed = await findPacked(folder, ownPackage);
    return packed === undefined && author !== placeholder
        ? `${ownPackage}@npm:@${author}/${ownPackage}@${version}`
        : shellWord(packed ?? `./${ownPackage}-${version}.tgz`);
}

async function installPlugin(folder: string, language: "yaml" | "python"): Promise<string[]> {
    const { version: ownVersion, author } = readManifest();
    const written = await findNear(folder, /^static-export-plugin$/);
    const isFile = written !== undefined || author === placeholder;
    // Pulumi 3.259 cannot copy a folder whose path begins with "./".
    const place = shellWord(written?.replace(/^\.\//, "") ?? "static-export-plugin");
    const version = isFile ? `"$(cat ${place}/version)"` : ownVersion;
    const source = isFile ? `--file ${place}` : `--server github://api.github.com/${author}/${ownPackage}`;
    return [
        `pulumi plugin install resource static-export ${version} ${source}`,
        ...(language === "python" ? [`pulumi package add static-export@${version}`, "pulumi install"] : []),
    ];
}

/** Finds the packed file of a package, of this command's own version if there are several. */
async function findPacked(folder: string, name: string): Promise<string | undefined> {
    const { version } = readManifest();
    const own = `${name}-${version}.tgz`.replace(/[.+]/g, "\\$&");
    return (await findNear(folder, new RegExp(`^${own}$`))) ?? findNear(folder, new RegExp(`^${name}-\\d.*\\.tgz$`));
}

/** Finds a file in the project's folder or the working directory. @returns its path relative to the project's folder */
async function findNear(folder: string, pattern: RegExp): Promise<string | undefined> {
    for (const place of [folder, "."]) {
        const name = (await readdir(place)).find((each) => pattern.test(each));
        if (name !== undefined) {
            return pathFrom(folder, join(place, name));
        }
    }
    return undefined;
}
