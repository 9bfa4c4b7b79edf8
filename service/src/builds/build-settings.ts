import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import {
    adviceOnOutput,
    type BuilderSettings,
    folderInside,
    isWithin,
    proposeBuildSettings,
    readBuilderFile,
} from "@pulumi-static-export/exporter";
import { collectOutput, maxFiles } from "./collect-output.js";
import { type SiteBuild } from "./site-build.js";

/** The operator's settings come before those of the repository. @throws BuilderFileError */
export function settingsOf(
    sourceDir: string,
    { environment, productionEnvironment, variables, limits, image, ...build }: SiteBuild,
): BuilderSettings {
    const settings: Partial<BuilderSettings> = {
        ...readBuilderFile(sourceDir),
        ...build,
    };
    const { command, outputFolder, baseFolder = "." } = settings;
    if (command === undefined || outputFolder === undefined) {
        const proposal = proposeBuildSettings(sourceDir);
        throw new Error(
            "The site's build has no command or no output folder: set build.command and build.outputFolder in " +
                ".static-export.yaml in the site's folder, or in the sites file." +
                (proposal === undefined ? "" : ` ${proposal}.`),
        );
    }
    return {
        ...settings,
        command,
        outputFolder: folderInside(outputFolder),
        baseFolder: folderInside(baseFolder),
    };
}

/**
 * The folder in which the command of a build runs.
 * @param root the checkout, as a real path
 * @throws if it is not a folder of the checkout
 */
export async function findBase(root: string, sourceDir: string, baseFolder: string): Promise<string> {
    const base = await realpath(join(sourceDir, baseFolder)).catch(() => undefined);
    if (base === undefined || !isWithin(root, base) || !(await stat(base)).isDirectory()) {
        throw new Error(`The build's folder ${baseFolder} is not a folder of the repository.`);
    }
    return base;
}

/**
 * The folder that the build has written, with copies in place of links.
 * @throws if it is not a folder of the checkout, or too large
 */
export async function findOutput(
    { root, base }: { readonly root: string; readonly base: string },
    outputFolder: string,
    maxBytes: number,
    onLine: (line: string) => void,
): Promise<string> {
    const output = await realpath(join(base, outputFolder)).catch(() => undefined);
    if (output === undefined || !isWithin(root, output) || !(await stat(output)).isDirectory()) {
        const advice = adviceOnOutput(base);
        throw new Error(`The build wrote no folder ${outputFolder} in the repository: correct outputFolder${advice}.`);
    }
    await collectOutput(output, { maxBytes, maxFiles }, onLine);
    return output;
}
