import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, normalize, sep } from "node:path";
import { isRecord } from "@pulumi-static-export/contract";
import { UsageError } from "../command-line/usage-error.js";

/** The options of `build` that name the site's own builder. */
export interface BuilderOptions {
    /** The command; true to take it from the folder's settings. */
    command?: string | true;
    outputFolder?: string;
    baseFolder?: string;
}

/** How the site's own builder is run. */
export interface BuilderSettings {
    readonly command: string;
    /** Relative to the base folder. */
    readonly outputFolder: string;
    /** The folder in which the command runs, relative to the site's folder. */
    readonly baseFolder: string;
}

const settingsFile = ".static-export.yaml";
const readTheDocsFile = ".readthedocs.yaml";

/** The folder for the output of a build in `.readthedocs.yaml`, whose commands find it in `READTHEDOCS_OUTPUT`. */
export const readTheDocsOutput = "_readthedocs";

/**
 * The builder that the options, `.static-export.yaml` or `.readthedocs.yaml` name; options come first. A command in a
 * file runs only with `--command`, because a check of somebody's pull request must not run their commands.
 * @throws UsageError
 */
export async function readBuilderSettings(
    folder: string,
    options: BuilderOptions & { readonly prebuilt?: boolean },
): Promise<BuilderSettings | undefined> {
    if (options.command === undefined) {
        const other = (["outputFolder", "baseFolder"] as const).find((name) => options[name] !== undefined);
        if (other !== undefined) {
            throw new UsageError(`--${other === "outputFolder" ? "output-folder" : "base-folder"} needs --command.`);
        }
        if (options.prebuilt !== true && existsSync(join(folder, settingsFile))) {
            throw new UsageError(
                `${settingsFile} names the site's own builder: pass --command to run it, or --prebuilt to export ` +
                    "the folder itself as finished HTML.",
            );
        }
        return undefined;
    }
    const found = (await readSettingsFile(folder)) ?? (await readReadTheDocs(folder));
    const command = options.command === true ? found?.command : options.command;
    if (command === undefined || command.trim() === "") {
        throw new UsageError(
            `--command needs a command, such as "npm run build", or ${settingsFile} with build.command.`,
        );
    }
    const outputFolder = options.outputFolder ?? found?.outputFolder;
    if (outputFolder === undefined) {
        throw new UsageError(`--command needs --output-folder, the folder that the command writes, such as build.`);
    }
    const baseFolder = options.baseFolder ?? found?.baseFolder ?? ".";
    return { command, outputFolder: inside(outputFolder), baseFolder: inside(baseFolder) };
}

async function readSettingsFile(folder: string): Promise<Partial<BuilderSettings> | undefined> {
    const settings = await readYaml(folder, settingsFile);
    if (settings === undefined) {
        return undefined;
    }
    const { build } = settings;
    if (!isRecord(build)) {
        throw new UsageError(`${settingsFile}: build must hold command and outputFolder.`);
    }
    for (const [name, value] of Object.entries(build)) {
        if (!["command", "outputFolder", "baseFolder"].includes(name)) {
            throw new UsageError(
                `${settingsFile}: build.${name} is unknown; use command, outputFolder and baseFolder.`,
            );
        }
        if (typeof value !== "string" || value === "") {
            throw new UsageError(`${settingsFile}: build.${name} must be a text.`);
        }
    }
    return build;
}

/** The commands of a build that does not use the steps of Read the Docs. */
async function readReadTheDocs(folder: string): Promise<Partial<BuilderSettings> | undefined> {
    const build = (await readYaml(folder, readTheDocsFile))?.["build"];
    const commands = isRecord(build) ? build["commands"] : undefined;
    return Array.isArray(commands) && commands.every((command) => typeof command === "string")
        ? { command: commands.join("\n"), outputFolder: `${readTheDocsOutput}/html` }
        : undefined;
}

async function readYaml(folder: string, file: string): Promise<Record<string, unknown> | undefined> {
    let text: string;
    try {
        text = readFileSync(join(folder, file), "utf8");
    } catch {
        return undefined;
    }
    // The library is loaded here, because loading it would slow down the other commands.
    const { parse } = await import("yaml");
    try {
        const value: unknown = parse(text, { logLevel: "silent", maxAliasCount: 10 });
        if (isRecord(value)) {
            return value;
        }
    } catch (error) {
        throw new UsageError(`${file}: ${(error as Error).message.split("\n", 1)[0]}`);
    }
    throw new UsageError(`${file} must hold settings such as build.command.`);
}

/** @throws UsageError for a folder outside of the site's folder */
function inside(folder: string): string {
    const path = normalize(folder);
    if (isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`)) {
        throw new UsageError(`${folder} is outside of the site's folder.`);
    }
    return path;
}
