import { readFileSync } from "node:fs";

/**
 * Returns the CPU time of this process's children (Linux). The kernel adds a child's time, in hundredths of a
 * second, when the parent has waited for the child.
 */
export function cpuSecondsOfChildren(): number {
    return sumOfTimes("self", 13);
}

/** Returns the CPU time of a running process, including its threads but not its children (Linux). */
export function cpuSecondsOf(processId: number): number {
    return sumOfTimes(processId, 11);
}

/**
 * @param first - the index of the user-mode time among the fields after the process's name; the next field is the time
 * in kernel mode
 */
function sumOfTimes(process: number | "self", first: number): number {
    const fields = readFileSync(`/proc/${process}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
    const [user, system] = fields.slice(first, first + 2).map(Number);
    return ((user ?? 0) + (system ?? 0)) / 100;
}
