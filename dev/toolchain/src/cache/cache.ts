import { access, constants } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { type GoTool } from "./tools.js";

/**
 * Returns the folder for everything that is built or downloaded. The folder is outside any repository, and safe to
 * delete at any time.
 */
export function cacheFolder(): string {
    const { STATIC_EXPORT_CACHE_DIR, XDG_CACHE_HOME } = process.env;
    if (STATIC_EXPORT_CACHE_DIR) {
        return path.resolve(STATIC_EXPORT_CACHE_DIR);
    }
    return path.join(XDG_CACHE_HOME || path.join(homedir(), ".cache"), "pulumi-static-export");
}

/** Returns the cache folder of this version of a tool for this platform, even if it does not exist. */
export function toolFolder(name: string, version: string): string {
    return path.join(cacheFolder(), "tools", `${name}-${version}-${process.platform}-${process.arch}`);
}

/** Returns the path of the binary that {@link ensureGoTool} builds, even if it does not exist. */
export function cachedBinary({ name, version }: Pick<GoTool, "name" | "version">): string {
    return path.join(toolFolder(name, version), name);
}

/** Returns whether the file exists and this user may execute it. */
export async function isExecutable(file: string): Promise<boolean> {
    return access(file, constants.X_OK).then(
        () => true,
        () => false,
    );
}
