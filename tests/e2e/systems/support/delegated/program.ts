import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ControlGroups, type RunGroup } from "../../../../../service/src/processes/control-group.js";

/** The line of the console that the spec reads. */
export interface Seen {
    readonly user: number;
    readonly fault: string | undefined;
    readonly ownGroup: string;
    readonly memory: string | undefined;
    readonly processes: string | undefined;
    /** The groups that are left in the end. */
    readonly left: readonly string[];
}

function start(group: RunGroup, command: readonly [string, ...string[]]) {
    const [program, ...args] = group.wrap(command);
    return spawn(program, args, { stdio: "ignore" });
}

async function excessOf(group: RunGroup): Promise<string | undefined> {
    for (let round = 0; round < 600; round += 1) {
        const excess = await group.findExcess();
        if (excess !== undefined) {
            return excess;
        }
        await sleep(100);
    }
    return undefined;
}

process.setgid?.(1000);
process.setuid?.(1000);
const fault = ControlGroups.findFault();
const groups = ControlGroups.open();
if (typeof groups === "string") {
    throw new Error(groups);
}
const memory = groups.create("memory", { memoryMegabytes: 100, maxProcesses: 20 });
const ended = once(
    start(memory, ["node", "-e", "const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 1));"]),
    "exit",
);
await ended;
const memoryExcess = await memory.findExcess();
await memory.end();
const processes = groups.create("processes", { memoryMegabytes: 200, maxProcesses: 10 });
start(processes, ["sh", "-c", "trap '' TERM; while :; do sleep 100 & done"]);
const processExcess = await excessOf(processes);
await processes.end();
const seen: Seen = {
    user: process.getuid?.() ?? 0,
    fault,
    ownGroup: readFileSync("/proc/self/cgroup", "utf8").trim(),
    memory: memoryExcess,
    processes: processExcess,
    left: readdirSync("/sys/fs/cgroup/unit").filter((name) => name.startsWith("static-export-")),
};
console.log(`SEEN ${JSON.stringify(seen)}`);
