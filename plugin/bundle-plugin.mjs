/**
 * Writes the plugin into a folder: one JavaScript file that contains everything, the script that starts it, and the
 * command that Pulumi starts. Plain JavaScript, because it runs right after the compilation.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

const name = "pulumi-resource-static-export";

/**
 * Starts the Node.js in the script's folder, or otherwise the one on PATH. The script itself prints nothing, because
 * the engine reads the plugin's port from the first line of the output. With many bundles, the glibc variable and the
 * V8 option save a third of the memory. The option makes the start slower: any V8 option makes Node.js recompile its
 * own modules.
 */
const posixCommand = `#!/bin/sh
self=$(readlink -f "$0")
export MALLOC_ARENA_MAX=1
PATH="\${self%/*}:$PATH"
exec node --no-deprecation --optimize-for-size "\${self%/*}/${name}.cjs" "$@"
`;

/** The plugin's files for a machine where Node.js is installed. */
export const pluginFiles = [
    { name, mode: 0o755 },
    { name: `${name}.cjs`, mode: 0o644 },
    { name: "plugin.cjs", mode: 0o644 },
];

/** Files that accompany every copy of the plugin. */
export const noticeFiles = [
    { name: "LICENSE", mode: 0o644 },
    { name: "THIRD-PARTY-NOTICES.txt", mode: 0o644 },
    { name: "sbom.cdx.json", mode: 0o644 },
];

/**
 * @param {string} folder - is created if it does not exist
 * @param {string} version - of the plugin and of its schema
 * @param {(text: string) => string} finishSchema - inserts the owner's names into the schema of a release
 * @returns {Promise<{ metafile: import("esbuild").Metafile, workingFolder: string }>} what the bundle contains, for its notices
 */
export async function bundlePlugin(folder, version, finishSchema = (text) => text) {
    mkdirSync(folder, { recursive: true });
    const { metafile } = await build({
        absWorkingDir: here,
        metafile: true,
        entryPoints: {
            [name]: join(here, "dist", "start.js"),
            plugin: join(here, "dist", "main.js"),
        },
        outdir: folder,
        outExtension: { ".js": ".cjs" },
        bundle: true,
        minify: true,
        platform: "node",
        target: "node22.13",
        format: "cjs",
        // A single executable has no import(): the few calls in libraries become require().
        supported: { "dynamic-import": false },
        // Libraries that are ES modules need their own location to require() built-in modules.
        define: { "import.meta.url": "executableUrl" },
        banner: { js: 'const executableUrl = require("node:url").pathToFileURL(process.execPath).href;' },
        logLevel: "error",
        plugins: [schemaPlugin((text) => JSON.stringify({ ...JSON.parse(finishSchema(text)), version }))],
        // The notices contain the licences of all packages.
        legalComments: "none",
    });
    const command = join(folder, name);
    writeFileSync(command, posixCommand);
    chmodSync(command, 0o755);
    writeFileSync(join(folder, "version"), `${version}\n`);
    return { metafile, workingFolder: here };
}

/** @param {(text: string) => string} finish - returns the text that replaces the file's text in the bundle */
function schemaPlugin(finish) {
    return {
        name: "schema",
        setup: ({ onLoad }) =>
            void onLoad({ filter: /[\\/]schema\.json$/ }, ({ path }) => ({
                contents: finish(readFileSync(path, "utf8")),
                loader: "json",
            })),
    };
}
