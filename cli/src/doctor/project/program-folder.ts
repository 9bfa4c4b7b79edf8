import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Where Pulumi runs the program of a project: in the folder that `main` in Pulumi.yaml names, or that contains the file
 * it names.
 */
export function programFolder(cwd: string, settings: string): string {
    const [, main] = /^main:\s*["']?([^"'#\r\n]+?)["']?\s*(?:#.*)?$/m.exec(readFileSync(settings, "utf8")) ?? [];
    if (main === undefined) {
        return cwd;
    }
    const path = join(cwd, main);
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() ? path : found?.isFile() ? dirname(path) : cwd;
}
