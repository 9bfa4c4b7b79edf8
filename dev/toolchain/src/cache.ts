import { access, constants } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { type GoTool } from "./tools.js";

/** The folder of everything built or downloaded here; outside of any repository, safe to delete at any time. */
export function cacheFolder(): string {
    const { STATIC_EXPORT_CACHE_DIR, XDG_CACHE_HOME } = process.env;
    if (STATIC_EXPORT_CACHE_DIR) {
        return path.resolve(STATIC_EXPORT_CACHE_DIR);
    }
    return path.join(XDG_CACHE_HOME || path.join(homedir(), ".cache"), "pulumi-static-export");
}

/** Where a tool of this version for this kind of machine lives, whether or not it is there yet. */
export function toolFolder(name: string, version: string): string {
    return path.join(cacheFolder(), "tools", `${name}-${version}-${process.platform}-${process.arch}`);
}

/** Where the binary lives that {@link ensureGoTool} builds, whether or not it is there yet. */
export function cachedBinary({ name, version }: Pick<GoTool, "name" | "version">): string {
    return path.join(toolFolder(name, version), name);
}

/** Whether a program stands there that this user may run. */
export async function isExecutable(file: string): Promise<boolean> {
    return access(file, constants.X_OK).then(
        () => true,
        () => false,
    );
}
