/**
 * Writes the plugin into a folder: one JavaScript file that holds everything, and the command that Pulumi starts. Plain
 * JavaScript, because it runs right after the compilation.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Prints nothing itself: the engine reads the plugin's port from the first line. */
const posixCommand = `#!/bin/sh
exec node --no-deprecation "$(dirname "$(readlink -f "$0")")/pulumi-resource-static-export.cjs" "$@"
`;

const name = "pulumi-resource-static-export";

/** The files of a plugin in a Unix archive. */
export const pluginFiles = [
    { name, mode: 0o755 },
    { name: `${name}.cjs`, mode: 0o644 },
];

/** @param {string} folder - is made if there is none */
export async function bundlePlugin(folder) {
    mkdirSync(folder, { recursive: true });
    await build({
        entryPoints: [join(here, "dist", "main.js")],
        outfile: join(folder, `${name}.cjs`),
        bundle: true,
        minify: true,
        platform: "node",
        target: "node20",
        format: "cjs",
        logLevel: "error",
        legalComments: "none",
    });
    const command = join(folder, name);
    writeFileSync(command, posixCommand);
    chmodSync(command, 0o755);
}
