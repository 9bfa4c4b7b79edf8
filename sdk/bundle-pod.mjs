/**
 * Bundles the program of the pods' init container, with everything that it imports, into one file of the chart. Runs
 * after every compilation, so it is plain JavaScript. With `--notices FOLDER`, writes the notices of the bundled
 * libraries into that folder.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const target = join(here, "..", "charts", "documentation-site", "files", "fetch-bundle.cjs");

const { outputFiles, metafile } = await build({
    absWorkingDir: here,
    entryPoints: [join(here, "dist", "pod", "main.js")],
    outfile: target,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node22.13",
    format: "cjs",
    supported: { "dynamic-import": false },
    // Only for versions of Node.js without streams of the web.
    external: ["web-streams-polyfill"],
    // node-fetch is an ES module, which needs its own location to require() built-in modules.
    define: { "import.meta.url": "programUrl" },
    banner: {
        js:
            "// Contains libraries as well; their licences are in THIRD-PARTY-NOTICES.txt of the package or chart.\n" +
            'const programUrl = require("node:url").pathToFileURL(__filename).href;',
    },
    legalComments: "none",
    logLevel: "error",
    metafile: true,
    write: false,
});

// Writes only a difference, because other processes may be reading the file.
const [{ text }] = outputFiles;
if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
    writeFileSync(target, text);
}

const [option, folder] = process.argv.slice(2);
if (option === "--notices" && folder !== undefined) {
    const { writeNotices } = await import("../dev/toolchain/third-party-notices.mjs");
    writeNotices({ metafile, workingFolder: here, artifact: "The program of the pods", folder });
}
