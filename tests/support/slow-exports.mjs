/**
 * Preloaded into a service or worker with `NODE_OPTIONS=--import=…`: each export begins only after the milliseconds in
 * SLOW_EXPORTS_MS, so that specs can interrupt it.
 */
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

const { spawn } = childProcess;
childProcess.spawn = (command, args, options) => {
    const child = spawn(command, args, options);
    if (String(args).includes("export-process-main")) {
        const send = child.send.bind(child);
        child.send = (...message) => {
            setTimeout(() => child.connected && send(...message), Number(process.env["SLOW_EXPORTS_MS"])).unref();
            return true;
        };
    }
    return child;
};
syncBuiltinESMExports();
