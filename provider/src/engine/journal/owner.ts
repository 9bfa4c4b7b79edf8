import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process of some machine. */
export interface MachineProcess {
    /** Identifies a machine and its process id namespace: two containers on one machine differ. */
    host: string;
    pid: number;
    /**
     * When the process started, to distinguish it from a later process with the same id. Absent if the system does not
     * report it.
     */
    since?: string;
}

/** The process that wrote an entry. */
export interface Owner extends MachineProcess {
    /** The name of the process's heartbeat. */
    id: string;
}

/** The running processes of a machine. */
export interface ProcessTable {
    readonly self: MachineProcess;
    /** Undefined if unknown: for a process on another host, or an id that may have been reused. */
    isRunning(owner: MachineProcess): boolean | undefined;
}

/** Returns the processes of this machine. */
export function localProcesses(): ProcessTable {
    const since = statOf(process.pid)?.since;
    const self = { host: hostIdentity(), pid: process.pid, ...(since === undefined ? {} : { since }) };
    return {
        self,
        isRunning: (owner) => {
            if (owner.host !== self.host) {
                return undefined;
            }
            const found = statOf(owner.pid);
            if (found?.hasEnded === true) {
                return false;
            }
            if (found?.since !== undefined && owner.since !== undefined) {
                return found.since === owner.since;
            }
            return exists(owner.pid) && owner.pid !== self.pid ? undefined : false;
        },
    };
}

/** A host name does not identify a process table, because several containers may share a host name. */
function hostIdentity(): string {
    try {
        const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
        return [hostname(), boot, readlinkSync("/proc/self/ns/pid")].join(" ");
    } catch {
        return hostname();
    }
}

interface ProcessStat {
    /**
     * Whether the process has ended. Such a process stays in the list until its parent reads its exit code, which never
     * happens in some containers.
     */
    readonly hasEnded: boolean;
    /** The start time in ticks since boot. */
    readonly since: string | undefined;
}

/** Returns undefined if the process does not exist, and on systems without /proc. */
function statOf(pid: number): ProcessStat | undefined {
    try {
        const text = readFileSync(`/proc/${pid}/stat`, "utf8");
        // The second field, in parentheses, is the program's name and may contain any character.
        const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
        return { hasEnded: /[ZX]/.test(fields[0] ?? ""), since: fields[19] };
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
