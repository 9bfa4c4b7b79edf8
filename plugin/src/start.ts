/** Starts the plugin, and saves what V8 has compiled for the next start. */
import { join } from "node:path";
import { compileScript } from "./compile-script.js";

const file = join(__dirname, "plugin.cjs");
const { script, save } = compileScript(file);
const run = script.runInThisContext() as (...names: unknown[]) => void;
run(exports, require, module, file, __dirname);
if (save) {
    // After the first answers: they do not wait, and the functions that gave them are saved, too.
    setTimeout(save, 500).unref();
}
