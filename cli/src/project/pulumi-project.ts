import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { parseDocument } from "yaml";
import { UsageError } from "../command-line/usage-error.js";

const projectFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The part of a Pulumi project's file that this command uses. */
export interface PulumiProject {
    readonly name: string;
    readonly file: string;
    /** The folder of the stacks' configurations. */
    readonly configFolder: string;
}

/** The program of a Pulumi project. */
export interface PulumiProgram {
    /** Undefined if the project's file names none. */
    readonly runtime: string | undefined;
    /** The folder in which Pulumi runs it: the one that `main` names, or the folder of the file that `main` names. */
    readonly folder: string;
}

/** The file of the Pulumi project whose root is this folder. */
export function findProjectFile(folder: string): string | undefined {
    return findIn(folder, projectFiles);
}

function findIn(folder: string, names: readonly string[]): string | undefined {
    return names.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** @param file - of the project; it may be invalid elsewhere */
export function readProgram(file: string): PulumiProgram {
    const document = parseDocument(readFileSync(file, "utf8"));
    const [runtime, main] = [document.getIn(["runtime", "name"]) ?? document.get("runtime"), document.get("main")];
    const root = dirname(file);
    const path = typeof main === "string" ? resolve(root, main) : root;
    const found = statSync(path, { throwIfNoEntry: false });
    return {
        runtime: typeof runtime === "string" ? runtime : undefined,
        folder: found === undefined ? root : found.isDirectory() ? path : dirname(path),
    };
}

/** Finds the project of a folder as Pulumi does; undefined without a project with a clear name. */
export function findProject(cwd: string): PulumiProject | undefined {
    const file = findUpwards(cwd, projectFiles);
    if (file === undefined) {
        return undefined;
    }
    // Also reads a file that is invalid elsewhere: Pulumi reports the fault.
    const document = parseDocument(readFileSync(file, "utf8"));
    const [name, stackConfigDir, config] = ["name", "stackConfigDir", "config"].map((key) => document.get(key));
    // In old projects, `config` is the folder; today, it is a map of settings.
    const folder = [stackConfigDir, config].find((each) => typeof each === "string") ?? "";
    return typeof name === "string" ? { name, file, configFolder: resolve(dirname(file), folder) } : undefined;
}

/** @throws UsageError if the folder is in no project */
export function requireProject(cwd: string): PulumiProject {
    const project = findProject(cwd);
    if (project === undefined) {
        throw new UsageError(`There is no Pulumi.yaml in ${resolve(cwd)} or above: pass its folder with --cwd.`);
    }
    return project;
}

/** The path of a stack's configuration, which need not exist. The name may begin with an organization and a project. */
export function configurationOf({ configFolder, file }: PulumiProject, stack: string): string {
    // Pulumi gives the file of a stack the ending of the project's file.
    return join(configFolder, `Pulumi.${stackName(stack)}${extname(file)}`);
}

/** The name of a stack without its organization and project. */
export function stackName(stack: string): string {
    return stack.split("/").at(-1) ?? stack;
}

/** The path of the first of these names in the folder, or in the nearest folder above that has one. */
export function findUpwards(cwd: string, names: readonly string[]): string | undefined {
    for (let folder = resolve(cwd); ; folder = dirname(folder)) {
        const found = findIn(folder, names);
        if (found !== undefined || folder === dirname(folder)) {
            return found;
        }
    }
}
