/** Starts the plugin, and caches its compiled code for the next start. */
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { isSupportedNode, nodeRange } from "@pulumi-static-export/contract";

// Checked before the script is compiled, because an older Node.js cannot even parse it.
if (!isSupportedNode(process.versions.node)) {
    console.error(
        `The plugin static-export needs Node.js ${nodeRange}, but ${process.execPath} is ${process.versions.node}. ` +
            "Install a newer version, and check with node --version which version this terminal runs.",
    );
    process.exit(1);
}

// The cache is in the script's folder: anyone who can write there could also change the script. Compiling takes most of
// the time until the plugin first responds to the engine.
enableCompileCache(join(__dirname, "compiled"));
// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be compiled before the cache is enabled
require(join(__dirname, "plugin.cjs"));
// The engine may kill the plugin, so the cache is not only written at the end. Saves after a delay, so that the first
// responses are not slowed down and the functions that they need are included.
setTimeout(flushCompileCache, 500).unref();
