import type { Metafile } from "esbuild";

/** Writes the plugin into a folder, which is created if it does not exist. Returns what the bundle contains. */
export function bundlePlugin(
    folder: string,
    version: string,
    finishSchema?: (text: string) => string,
): Promise<{ metafile: Metafile; workingFolder: string }>;
