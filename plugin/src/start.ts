/** Starts the plugin, and saves V8's compiled code for the next start. */
import { join } from "node:path";
import { compileScript } from "./compile-script.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
// Checked before the script is compiled, because an older Node.js cannot even parse it.
if (major < 20 || (major === 20 && minor < 19)) {
    console.error(
        `The plugin static-export needs Node.js 20.19 or later, and ${process.execPath} is ${process.versions.node}. ` +
            "Install a newer one, and check with node --version which one this terminal runs.",
    );
    process.exit(1);
}

const file = join(__dirname, "plugin.cjs");
const { script, save } = compileScript(file);
const run = script.runInThisContext() as (...names: unknown[]) => void;
run(exports, require, module, file, __dirname);
if (save) {
    // Saves after a delay, so that the first responses are not slowed down and the functions that they need are
    // included.
    setTimeout(save, 500).unref();
}
