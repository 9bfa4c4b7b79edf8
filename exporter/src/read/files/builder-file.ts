import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../text/json-values.js";
import { parseYaml } from "../../text/parse-yaml.js";
import { decodeText } from "./decode-text.js";
import {
    BuilderFileError,
    builderKeys,
    type BuilderSettings,
    isBuilderKey,
    readBuilderSetting,
} from "./builder-settings.js";
import { readReadTheDocs, readTheDocsFile } from "./read-the-docs.js";

export const builderFile = ".static-export.yaml";
const maxBytes = 64 * 1024;

/**
 * Reads the builder in `.static-export.yaml` of a site's folder, or else the build in `.readthedocs.yaml`.
 * @throws BuilderFileError
 */
export function readBuilderFile(folder: string): Partial<BuilderSettings> | undefined {
    const settings = readYaml(folder, builderFile);
    if (settings !== undefined) {
        return readBuild(settings["build"]);
    }
    const others = readYaml(folder, readTheDocsFile) ?? readYaml(folder, ".readthedocs.yml");
    return others === undefined ? undefined : readReadTheDocs(others);
}

/** @throws BuilderFileError */
function readBuild(build: unknown): Partial<BuilderSettings> {
    if (!isRecord(build)) {
        throw new BuilderFileError(`${builderFile}: build must contain command and outputFolder.`);
    }
    const settings = Object.entries(build).map(([name, value]) => {
        if (!isBuilderKey(name)) {
            throw new BuilderFileError(`${builderFile}: build.${name} is unknown; use ${builderKeys.join(", ")}.`);
        }
        try {
            return [name, readBuilderSetting(name, value)];
        } catch (error) {
            throw new BuilderFileError(`${builderFile}: ${(error as Error).message}`);
        }
    });
    return Object.fromEntries(settings) as Partial<BuilderSettings>;
}

function readYaml(folder: string, file: string): Record<string, unknown> | undefined {
    const path = join(folder, file);
    // Does not follow links, because a commit could link to any file of this machine.
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) {
        return undefined;
    }
    if (stats.size > maxBytes) {
        throw new BuilderFileError(`${file} has more than ${maxBytes} bytes.`);
    }
    try {
        const value: unknown = parseYaml(decodeText(readFileSync(path)));
        if (isRecord(value)) {
            return value;
        }
    } catch (error) {
        throw new BuilderFileError(`${file}: ${(error as Error).message.split("\n", 1)[0]}`);
    }
    throw new BuilderFileError(`${file} must contain settings such as build.command.`);
}
