import { readdirSync, readFileSync } from "node:fs";

/** Samples the memory of this process's providers every half second (Linux). */
export class MemoryWatch {
    readonly #isProvider: RegExp;
    readonly #seen = new Set<string>();
    #peakMegabytes = 0;
    readonly #timer = setInterval(() => this.#sample(), 500).unref();

    /**
     * @param isProvider - matches the path of a provider's script, but not the arguments of a process that searches for
     * this path; by default, matches dynamic providers
     */
    constructor(isProvider = /\/dynamic-provider\/index\.js$/) {
        this.#isProvider = isProvider;
    }

    stop(): { peakMegabytes: number; providers: number } {
        clearInterval(this.#timer);
        return { peakMegabytes: this.#peakMegabytes, providers: this.#seen.size };
    }

    #sample(): void {
        if (process.platform !== "linux") {
            return;
        }
        const parents = new Map<string, string>();
        const hosts: { pid: string; megabytes: number }[] = [];
        for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
            try {
                const status = readFileSync(`/proc/${pid}/status`, "utf8");
                parents.set(pid, /^PPid:\s+(\d+)/m.exec(status)?.[1] ?? "0");
                const [command = "", ...args] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
                const script = args.find((argument) => !argument.startsWith("-")) ?? "";
                if (/node$/.test(command) && this.#isProvider.test(script)) {
                    hosts.push({ pid, megabytes: Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024 });
                }
            } catch {
                continue; // It ended between the two reads.
            }
        }
        for (const { pid, megabytes } of hosts.filter((host) => isBelowThisProcess(host.pid, parents))) {
            this.#seen.add(pid);
            this.#peakMegabytes = Math.max(this.#peakMegabytes, megabytes);
        }
    }
}

function isBelowThisProcess(pid: string, parents: Map<string, string>): boolean {
    for (let next: string | undefined = pid; next !== undefined && next !== "0"; next = parents.get(next)) {
        if (next === `${process.pid}`) {
            return true;
        }
    }
    return false;
}
