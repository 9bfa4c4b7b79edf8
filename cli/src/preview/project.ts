import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const projectFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The name of a folder's Pulumi project, found as Pulumi finds it; undefined if there is none or it is unclear. */
export function findProjectName(cwd: string): string | undefined {
    const file = findUpwards(cwd, projectFiles);
    if (file === undefined) {
        return undefined;
    }
    // The name is a top-level scalar, so no YAML parser is needed, and a file that is invalid elsewhere still has a name.
    const [, name] = /^\s*"?name"?:\s*["']?([^"'\s#,]+)/m.exec(readFileSync(file, "utf8")) ?? [];
    return name;
}

/** The folder of the program in its repository, with forward slashes; empty for the root, and outside a repository. */
export function findFolder(cwd: string): string {
    const repository = findUpwards(cwd, [".git"]);
    return repository === undefined ? "" : relative(dirname(repository), resolve(cwd)).split(sep).join("/");
}

function findUpwards(cwd: string, names: readonly string[]): string | undefined {
    for (let folder = resolve(cwd); ; folder = dirname(folder)) {
        const found = names.map((name) => join(folder, name)).find((file) => existsSync(file));
        if (found !== undefined || folder === dirname(folder)) {
            return found;
        }
    }
}
