import { fileURLToPath } from "node:url";

const preloaded = new URL("slow-exports.mjs", import.meta.url);

export const slowExportsFile = fileURLToPath(preloaded);

/** The environment of a service or worker whose exports take this much longer. */
export function slowExports(ms: number, file = preloaded.href): Record<string, string> {
    return { NODE_OPTIONS: `--import=${file}`, SLOW_EXPORTS_MS: String(ms) };
}
