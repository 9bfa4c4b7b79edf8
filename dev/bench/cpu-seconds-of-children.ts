import { readFileSync } from "node:fs";

/** Of this process (Linux). The kernel adds a child's time here, in hundredths of a second, once its parent has waited for it. */
export function cpuSecondsOfChildren(): number {
    const fields = readFileSync("/proc/self/stat", "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
    const [user, system] = fields.slice(13, 15).map(Number);
    return ((user ?? 0) + (system ?? 0)) / 100;
}
