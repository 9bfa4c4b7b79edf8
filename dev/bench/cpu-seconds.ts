import { readFileSync } from "node:fs";

/** Of this process (Linux). The kernel adds a child's time here, in hundredths of a second, once its parent has waited for it. */
export function cpuSecondsOfChildren(): number {
    return sumOfTimes("self", 13);
}

/** Of a process that runs, with all of its threads and without its children (Linux). */
export function cpuSecondsOf(processId: number): number {
    return sumOfTimes(processId, 11);
}

/** @param first - where the time in user mode stands, behind the process's name; that of the kernel follows */
function sumOfTimes(process: number | "self", first: number): number {
    const fields = readFileSync(`/proc/${process}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
    const [user, system] = fields.slice(first, first + 2).map(Number);
    return ((user ?? 0) + (system ?? 0)) / 100;
}
