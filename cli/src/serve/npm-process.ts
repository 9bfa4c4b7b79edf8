import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** How often to look whether npm still runs. */
const watchMs = 1000;

/** npm's own title, or the path of the program that Node.js runs. */
const isPackageManager = /(?:^|[/\s])(?:npm|npx|pnpm|pnpx|yarn)(?:-cli)?(?:\.[cm]?js)?(?:\s|$)/;

interface RunningProcess {
    readonly parent: number;
    readonly command: string;
}

/**
 * Calls back when the npm or npx that started this process has ended. npm starts commands through a shell, which dies
 * with npm, or does not, without passing the signal on: a service would keep its port.
 */
export function onEndOfNpm(env: NodeJS.ProcessEnv, onEnd: () => void): void {
    const npm = env["npm_command"] === undefined && env["npm_execpath"] === undefined ? undefined : findNpm();
    if (npm === undefined) {
        return;
    }
    const shell = process.ppid;
    const timer = setInterval(() => {
        if (process.ppid !== shell || !isRunning(npm)) {
            clearInterval(timer);
            onEnd();
        }
    }, watchMs);
    timer.unref();
}

/** @returns the npm that is the parent, or the parent of the shell that is the parent */
function findNpm(): number | undefined {
    const parent = readProcess(process.ppid);
    if (parent === undefined || isPackageManager.test(parent.command)) {
        return parent && process.ppid;
    }
    const above = readProcess(parent.parent);
    return above !== undefined && isPackageManager.test(above.command) ? parent.parent : undefined;
}

function isRunning(pid: number): boolean {
    try {
        // Other systems do not show whether a process is a zombie without starting another program.
        return process.platform === "linux" ? statOf(pid).state !== "Z" : process.kill(pid, 0);
    } catch {
        return false;
    }
}

/** Reads the fields that follow the name (man 5 proc_pid_stat). */
function statOf(pid: number): { state: string; parent: number } {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
}

/** @returns undefined if the process has ended, or the system does not say what runs */
function readProcess(pid: number): RunningProcess | undefined {
    try {
        if (process.platform === "linux") {
            const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
            return { parent: statOf(pid).parent, command };
        }
        const listed = execFileSync("ps", ["-o", "ppid=,command=", "-p", String(pid)], { encoding: "utf8" });
        const [, parent = "", command = ""] = /^(\d+)\s(.*)/.exec(listed.trimStart()) ?? [];
        return { parent: Number(parent), command };
    } catch {
        return undefined;
    }
}
