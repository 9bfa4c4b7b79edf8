/**
 * Runs a script of this repository: `node dev/toolchain/start.mjs [FILE [ARGUMENT…]]`. Continues with a supported
 * Node.js if this one is not supported, installs and compiles what is missing, and then runs the script, if there is
 * one, in this process.
 * Runs before anything is installed, so it is plain JavaScript without dependencies.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bootstrap } from "./bootstrap.mjs";
import { ensureNode, isSupportedNode, withNode } from "./node-version.mjs";

const [, self, ...command] = process.argv;
const [script, ...args] = command;
if (isSupportedNode(process.versions.node)) {
    await bootstrap();
    if (script !== undefined) {
        await import("tsx");
        const file = resolve(script);
        process.argv = [process.execPath, file, ...args];
        await import(pathToFileURL(file).href);
    }
} else {
    const node = await ensureNode();
    const child = spawn(node, [self, ...command], { stdio: "inherit", env: withNode(node) });
    // The terminal signals the whole process group, so this process only waits for the script to end. A signal to this
    // process alone is passed on.
    process.on("SIGINT", () => undefined);
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    const [exitCode] = await once(child, "exit");
    process.exitCode = exitCode ?? 130;
}
