import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { readManifest } from "../command-line/package-manifest.js";
import { shellWord } from "../command-line/shell-words.js";
import { findPackage } from "../doctor/project-packages.js";
import { type Project } from "./programs.js";

const ownPackage = "pulumi-static-export";
/** The owner in the package names of an unpublished build. */
const placeholder = "example--owner";

/** The versions that this release is tested with. */
const furtherPackages = {
    always: ["@pulumi/pulumi@^3.245.0", "typescript@^6.0.3"],
    export: [],
    bucket: ["@aws-sdk/client-s3@^3.700.0", "@aws-sdk/s3-request-presigner@^3.700.0"],
    cluster: ["@pulumi/kubernetes@^4.34.2"],
} as const;

/** Returns the commands that a user runs next, up to the first export. */
export async function nextCommands(folder: string, project: Project): Promise<string[]> {
    const { language, stack, target } = project;
    return [
        ...(relative(".", folder) === "" ? [] : [`cd ${shellWord(folder)}`]),
        ...(language === "typescript" ? await installPackages(folder, project) : await installPlugin(folder, language)),
        "pulumi login --local",
        `pulumi stack init ${stack}`,
        "pulumi preview",
        "pulumi config set --secret static-export:adminApiKey",
        ...(target === "bucket" ? ["export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… AWS_REGION=…"] : []),
        "pulumi up",
    ];
}

/** The command that installs the packages that the program cannot resolve yet. */
async function installPackages(folder: string, { target }: Project): Promise<string[]> {
    const further = [...furtherPackages.always, ...furtherPackages[target]];
    const missing = [
        ...(findPackage(folder, ownPackage) === undefined ? [await ownInstallation(folder)] : []),
        ...further.filter((each) => findPackage(folder, each.slice(0, each.lastIndexOf("@"))) === undefined),
    ];
    return missing.length === 0 ? [] : [`npm install ${missing.join(" ")}`];
}

/** A build without an owner is installed from its file: it is not in a registry, where anybody could take its name. */
async function ownInstallation(folder: string): Promise<string> {
    const { version, author } = readManifest();
    const packed = await findNear(folder, /^pulumi-static-export-\d.*\.tgz$/);
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

/** Finds a file in the project's folder or the working directory. @returns its path relative to the project's folder */
async function findNear(folder: string, pattern: RegExp): Promise<string | undefined> {
    for (const place of [folder, "."]) {
        const name = (await readdir(place)).find((each) => pattern.test(each));
        if (name !== undefined) {
            const path = relative(folder, join(place, name));
            return path.startsWith(".") ? path : `./${path}`;
        }
    }
    return undefined;
}
