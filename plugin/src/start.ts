/** Starts the plugin, and saves V8's compiled code for the next start. */
import { join } from "node:path";
import { compileScript } from "./compile-script.js";

const file = join(__dirname, "plugin.cjs");
const { script, save } = compileScript(file);
const run = script.runInThisContext() as (...names: unknown[]) => void;
run(exports, require, module, file, __dirname);
if (save) {
    // Delayed, so that it does not slow down the first answers, and also saves their functions.
    setTimeout(save, 500).unref();
}
