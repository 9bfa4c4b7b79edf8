import { type BuilderSettings } from "@pulumi-static-export/exporter";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../command-line/usage-error.js";

/** The options of `build` that name the site's own builder. */
export interface BuilderOptions {
    /** The command; true to take it from the folder's settings. */
    command?: string | true;
    outputFolder?: string;
    baseFolder?: string;
}

/** The keys of `build` that this command follows; it installs nothing on the writer's machine. */
const followedKeys: readonly string[] = ["command", "outputFolder", "baseFolder"];

/**
 * The builder that the options, `.static-export.yaml` or `.readthedocs.yaml` name; options come first. A command in a
 * file runs only with `--command`, because a check of somebody's pull request must not run their commands.
 * @throws UsageError
 */
export async function readBuilderSettings(
    folder: string,
    options: BuilderOptions & { readonly prebuilt?: boolean },
): Promise<BuilderSettings | undefined> {
    // The exporter is imported here, because loading it would slow down the other commands.
    const { builderFile, BuilderFileError, builderKeys, folderInside, readBuilderFile } =
        await import("@pulumi-static-export/exporter");
    if (options.command === undefined) {
        const other = (["outputFolder", "baseFolder"] as const).find((name) => options[name] !== undefined);
        if (other !== undefined) {
            throw new UsageError(`--${other === "outputFolder" ? "output-folder" : "base-folder"} needs --command.`);
        }
        if (options.prebuilt !== true && existsSync(join(folder, builderFile))) {
            throw new UsageError(
                `${builderFile} names the site's own builder: pass --command to run it, or --prebuilt to export ` +
                    "the folder itself as finished HTML.",
            );
        }
        return undefined;
    }
    try {
        const found = readBuilderFile(folder);
        const command = options.command === true ? found?.command : options.command;
        if (command === undefined || command.trim() === "") {
            throw new UsageError(
                `--command needs a command, such as "npm run build", or ${builderFile} with build.command.`,
            );
        }
        const outputFolder = options.outputFolder ?? found?.outputFolder;
        if (outputFolder === undefined) {
            throw new UsageError(`--command needs --output-folder, the folder that the command writes, such as build.`);
        }
        found?.notes?.forEach((note) => console.error(`note: ${note}`));
        const others = builderKeys.filter((name) => !followedKeys.includes(name) && found?.[name] !== undefined);
        if (others.length > 0) {
            console.error(
                `note: only the service applies ${others.map((name) => `build.${name}`).join(", ")}: install ` +
                    "packages and the required versions of programs yourself.",
            );
        }
        const baseFolder = options.baseFolder ?? found?.baseFolder ?? ".";
        return { command, outputFolder: folderInside(outputFolder), baseFolder: folderInside(baseFolder) };
    } catch (error) {
        throw error instanceof BuilderFileError ? new UsageError(error.message) : error;
    }
}
