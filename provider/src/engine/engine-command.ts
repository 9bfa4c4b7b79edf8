import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** A running process. */
interface ProcessInfo {
    parent: number;
    args: readonly string[];
}

const maxAncestors = 10;
const commands = new Set(["preview", "pre", "up", "update", "watch", "refresh", "destroy", "down", "dn", "import"]);
const changing = new Set(["up", "update", "watch"]);

/**
 * Whether the engine that started this process runs `pulumi up`. Pulumi does not say so to a provider, also not whether
 * a diff belongs to a preview, so this looks for the command among the processes that started this one. False if the
 * command is not found: only `pulumi up` may send requests that it can do without.
 */
export async function isPulumiUp(pid = process.ppid, read = readProcess): Promise<boolean> {
    for (let count = 0; count < maxAncestors && pid > 1; count += 1) {
        const found = await read(pid).catch(() => undefined);
        if (found === undefined) {
            return false;
        }
        const start = found.args.findIndex((arg) => /(?:^|[/\\])pulumi(?:\.exe)?$/.test(arg));
        const command = start === -1 ? undefined : found.args.slice(start + 1).find((arg) => commands.has(arg));
        if (command !== undefined) {
            return changing.has(command);
        }
        pid = found.parent;
    }
    return false;
}

/** Reads /proc, or asks `ps`, which macOS has. */
async function readProcess(pid: number): Promise<ProcessInfo> {
    if (process.platform === "linux") {
        const [stat, commandLine] = await Promise.all([
            readFile(`/proc/${pid}/stat`, "utf8"),
            readFile(`/proc/${pid}/cmdline`, "utf8"),
        ]);
        // The name of the program in parentheses may contain spaces and parentheses.
        const [, parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return { parent: Number(parent), args: commandLine.split("\0") };
    }
    const { stdout } = await promisify(execFile)("ps", ["-o", "ppid=,args=", "-p", String(pid)]);
    const [parent = "", ...args] = stdout.trim().split(/\s+/);
    return { parent: Number(parent), args };
}
