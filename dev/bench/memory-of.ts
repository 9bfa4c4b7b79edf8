import { readFileSync } from "node:fs";

/** Returns the resident memory of a running process, or its peak, in megabytes (Linux). @throws Error if it has ended */
export function memoryOf(processId: number | string, kind: "now" | "peak"): number {
    const field = kind === "now" ? /^VmRSS:\s+(\d+)/m : /^VmHWM:\s+(\d+)/m;
    return Number(field.exec(readFileSync(`/proc/${processId}/status`, "utf8"))?.[1] ?? 0) / 1024;
}
