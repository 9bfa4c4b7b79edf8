import { readdirSync, readFileSync } from "node:fs";

/** A process as /proc shows it. The start time distinguishes a process from a later process with the same id. */
export interface ProcessEntry {
    readonly pid: number;
    readonly startedAt: string;
    readonly command: string;
}

/** Finds all current descendants of a process. */
export function descendantsOf(pid: number): ProcessEntry[] {
    const children = new Map<number, number[]>();
    for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
        const parent = readStat(Number(name))?.parent;
        if (parent !== undefined) {
            children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
        }
    }
    const found: ProcessEntry[] = [];
    for (let pids = children.get(pid) ?? []; pids.length > 0; pids = pids.flatMap((each) => children.get(each) ?? [])) {
        found.push(...pids.map(readEntry).filter((entry) => entry !== undefined));
    }
    return found;
}

export function isAlive({ pid, startedAt }: ProcessEntry): boolean {
    const stat = readStat(pid);
    return stat !== undefined && stat.startedAt === startedAt && stat.state !== "Z";
}

function readEntry(pid: number): ProcessEntry | undefined {
    const stat = readStat(pid);
    return (
        stat && {
            pid,
            startedAt: stat.startedAt,
            command: readText(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim(),
        }
    );
}

/** Fields after the command's name, which may contain spaces and parentheses. Source: proc_pid_stat(5). */
function readStat(pid: number): { state: string; parent: number; startedAt: string } | undefined {
    const text = readText(`/proc/${pid}/stat`);
    const [state, parent, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const startedAt = rest[17];
    return state && parent && startedAt ? { state, parent: Number(parent), startedAt } : undefined;
}

/** Returns an empty string if the process has ended. */
function readText(path: string): string {
    try {
        return readFileSync(path, "utf8");
    } catch {
        return "";
    }
}

/**
 * Kills a process and its descendants, as when its machine is lost. Stops the process first, so that it starts no other
 * process meanwhile.
 */
export function killTree(pid: number): void {
    process.kill(pid, "SIGSTOP");
    for (const each of [...descendantsOf(pid).map((entry) => entry.pid), pid]) {
        process.kill(each, "SIGKILL");
    }
}
