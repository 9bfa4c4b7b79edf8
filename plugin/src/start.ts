/** Starts the plugin, and saves what V8 has compiled for the next start. */
import { join } from "node:path";
import { compileScript } from "./compile-script.js";

const file = join(__dirname, "plugin.cjs");
const { script, save } = compileScript(file);
const run = script.runInThisContext() as (...names: unknown[]) => void;
run(exports, require, module, file, __dirname);
if (save) {
    // Later, so that the first answers do not wait and the functions behind them are saved, too.
    setTimeout(save, 500).unref();
}
