import { readFile } from "node:fs/promises";

/** Identifies a process, to distinguish it from a later process with the same id, even after a restart. */
export interface ProcessIdentity {
    readonly pid: number;
    /** The start time in clock ticks since the machine started, as the kernel counts them. */
    readonly startTime: string;
    readonly bootId: string;
}

export interface ProcessStat {
    readonly pid: number;
    /** One letter as in proc(5): "Z" is a zombie, which has ended and waits for its parent. */
    readonly state: string;
    readonly startTime: string;
}

/** Parses `/proc/<pid>/stat`, whose second field is the program's name and may contain spaces and parentheses. */
export function parseProcessStat(line: string): ProcessStat | undefined {
    const pid = Number.parseInt(line, 10);
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    // Field 22 of the line; the slice starts at field 3.
    const startTime = fields[19];
    return Number.isNaN(pid) || !state || startTime === undefined ? undefined : { pid, state, startTime };
}

export async function currentBootId(): Promise<string> {
    return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
}

export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
    const stat = await readStat(pid);
    return stat && { pid, startTime: stat.startTime, bootId: await currentBootId() };
}

export async function isRunning({ pid, startTime, bootId }: ProcessIdentity): Promise<boolean> {
    const stat = await readStat(pid);
    return (
        stat !== undefined && stat.state !== "Z" && stat.startTime === startTime && bootId === (await currentBootId())
    );
}

/** Kills the process; does nothing if it has ended, even if another process now has its id. */
export async function killProcess(identity: ProcessIdentity): Promise<void> {
    if (!(await isRunning(identity))) {
        return;
    }
    try {
        process.kill(identity.pid, "SIGKILL");
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") {
            throw error;
        }
    }
}

async function readStat(pid: number): Promise<ProcessStat | undefined> {
    try {
        return parseProcessStat(await readFile(`/proc/${pid}/stat`, "utf8"));
    } catch {
        // The process ended meanwhile: ENOENT on opening, or ESRCH while reading.
        return undefined;
    }
}
