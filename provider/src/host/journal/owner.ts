import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The process that wrote an entry. */
export interface Owner {
    /** What the process's heartbeat is named after. Entries of version 0.1.0 have none. */
    id?: string;
    /** One machine and one space of process ids: two containers of a machine differ here. */
    host: string;
    pid: number;
    /** When the process began. It tells the process from a later one with the same id; absent where no system says it. */
    since?: string;
}

/** What a machine says about its processes. */
export interface ProcessTable {
    readonly self: Owner;
    /** Undefined where nobody can say: a process of another host, or a process id that may be in use again. */
    isRunning(owner: Owner): boolean | undefined;
}

/** The processes of this machine. */
export function localProcesses(): ProcessTable {
    const since = startOf(process.pid);
    const self = { host: hostIdentity(), pid: process.pid, ...(since === undefined ? {} : { since }) };
    return {
        self,
        isRunning: (owner) => {
            if (owner.host !== self.host) {
                return undefined;
            }
            const running = startOf(owner.pid);
            if (running !== undefined && owner.since !== undefined) {
                return running === owner.since;
            }
            return exists(owner.pid) && owner.pid !== self.pid ? undefined : false;
        },
    };
}

/** A host name alone is not enough: containers may share it, and each has processes of its own. */
function hostIdentity(): string {
    try {
        const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
        return [hostname(), boot, readlinkSync("/proc/self/ns/pid")].join(" ");
    } catch {
        return hostname();
    }
}

/** In ticks since the machine was booted; undefined for no process, and on systems without /proc. */
function startOf(pid: number): string | undefined {
    try {
        const text = readFileSync(`/proc/${pid}/stat`, "utf8");
        // The name of the program comes second, in parentheses, and may hold anything.
        return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
    } catch {
        return undefined;
    }
}

function exists(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
}
