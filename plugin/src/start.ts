/** Starts the plugin, and saves V8's compiled code for the next start. */
import { join } from "node:path";
import { compileScript } from "./compile-script.js";

const file = join(__dirname, "plugin.cjs");
const { script, save } = compileScript(file);
const run = script.runInThisContext() as (...names: unknown[]) => void;
run(exports, require, module, file, __dirname);
if (save) {
    // Delayed, so that the first answers do not wait and their functions are saved, too.
    setTimeout(save, 500).unref();
}
