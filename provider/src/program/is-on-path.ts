import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a command is on PATH and executable. */
export function isOnPath(command: string, env: NodeJS.ProcessEnv = process.env): boolean {
    const endings = process.platform === "win32" ? (env.PATHEXT ?? ".EXE").split(";") : [""];
    return (env.PATH ?? "")
        .split(delimiter)
        .flatMap((folder) => endings.map((ending) => join(folder, command + ending)))
        .some(isExecutable);
}

function isExecutable(file: string): boolean {
    try {
        accessSync(file, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}
