import {
    accessSync,
    constants,
    existsSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    rmdirSync,
    statSync,
    writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sayReached } from "../shared/reached-limit.js";

type Command = readonly [string, ...string[]];

/** The limits of all processes of a run together. */
export interface ProcessLimits {
    readonly memoryMegabytes: number;
    readonly maxProcesses: number;
}

/** The processes of a run, and their limits. */
export interface RunGroup {
    /** Returns the command that runs the given one in the group. */
    wrap(command: Command): Command;
    /** The reason to end the run, if its processes exceed a limit. */
    findExcess(): Promise<string | undefined>;
    /**
     * Kills all processes, and resolves when none of them runs.
     * @throws if some cannot be killed
     */
    end(): Promise<void>;
}

/** The folders of control groups that contain the groups of runs. Version 2 has one folder for both controllers. */
interface Parents {
    readonly version: 1 | 2;
    readonly memory: string;
    readonly pids: string;
}

const prefix = "static-export-";

/** Groups of runs that have ended without removing them are removed after this time. */
const staleMs = 60_000;

/** How often and how long the end of killed processes is awaited. */
const [maxRounds, roundMs] = [1000, 10];

/** Each process counts with its threads: a limit of processes allows twice as many threads. */
const tasksOf = (maxProcesses: number) => 2 * maxProcesses;

const noGroups = "the system has no control groups for memory and processes";

let opened: ControlGroups | string | undefined;

/** The kernel's control groups, in which the runs of this process get limits of memory and processes. */
export class ControlGroups {
    private constructor(private readonly parents: Parents) {}

    /**
     * With version 2, moves this process to the subgroup `service`: the kernel allows limits only in groups without
     * processes. Call this function before the process starts others.
     * @returns why this process cannot make control groups, if it cannot
     */
    static open(): ControlGroups | string {
        opened ??= ControlGroups.#open();
        return opened;
    }

    /** Why this process could not make control groups, as far as can be seen without making one. */
    static findFault(): string | undefined {
        const parents = findParents(readFileSync("/proc/self/cgroup", "utf8"), mounts());
        if (parents === undefined) {
            return noGroups;
        }
        try {
            accessSync(parents.memory, constants.W_OK);
            return undefined;
        } catch (error) {
            return describeFault(error);
        }
    }

    static #open(): ControlGroups | string {
        try {
            const parents = findParents(readFileSync("/proc/self/cgroup", "utf8"), mounts());
            if (parents === undefined) {
                return noGroups;
            }
            if (parents.version === 2) {
                delegate(parents.memory);
            }
            [parents.memory, parents.pids].forEach(removeStale);
            const groups = new ControlGroups(parents);
            groups.#make(`${prefix}probe-${process.pid}`, { memoryMegabytes: 64, maxProcesses: 1 }).remove();
            return groups;
        } catch (error) {
            return describeFault(error);
        }
    }

    /**
     * Kills what is left in the group of a run whose own process has ended, and removes the group.
     * @throws as of {@link RunGroup.end}
     */
    static async endLeft(name: string): Promise<void> {
        if (opened instanceof ControlGroups) {
            await endGroup(opened.#foldersOf(`${prefix}${name}`));
        }
    }

    /** @param name differs from the names of all other runs on this machine */
    create(name: string, limits: ProcessLimits): RunGroup {
        [this.parents.memory, this.parents.pids].forEach(removeStale);
        return this.#make(`${prefix}${name}`, limits);
    }

    #foldersOf(name: string): Parents {
        const { version, memory, pids } = this.parents;
        return { version, memory: join(memory, name), pids: join(pids, name) };
    }

    #make(name: string, limits: ProcessLimits): ControlGroup {
        const folders = this.#foldersOf(name);
        const { version, memory, pids } = folders;
        const group = new ControlGroup(folders, limits);
        try {
            new Set([memory, pids]).forEach((folder) => mkdirSync(folder));
            writeFileSync(join(pids, "pids.max"), String(tasksOf(limits.maxProcesses)));
            for (const [file, value, isOptional] of memoryFiles(version, limits.memoryMegabytes)) {
                try {
                    writeFileSync(join(memory, file), value, { flag: "r+" });
                } catch (error) {
                    // The kernel may not count swap.
                    if (!isOptional) {
                        throw error;
                    }
                }
            }
            return group;
        } catch (error) {
            group.remove();
            throw error;
        }
    }
}

class ControlGroup implements RunGroup {
    constructor(
        private readonly folders: Parents,
        private readonly limits: ProcessLimits,
    ) {}

    wrap(command: Command): Command {
        const script = 'echo 0 > "$1" && echo 0 > "$2" && shift 2 && exec "$@"';
        const { memory, pids } = this.folders;
        return ["/bin/sh", "-c", script, "sh", join(memory, "cgroup.procs"), join(pids, "cgroup.procs"), ...command];
    }

    async findExcess(): Promise<string | undefined> {
        const { version, memory, pids } = this.folders;
        const killed = await readCount(
            join(memory, version === 2 ? "memory.events" : "memory.oom_control"),
            "oom_kill",
        );
        if (killed > 0) {
            return sayReached("memory", `${this.limits.memoryMegabytes} MB`);
        }
        return (await readCount(join(pids, "pids.events"), "max")) > 0
            ? sayReached("processes", this.limits.maxProcesses)
            : undefined;
    }

    end(): Promise<void> {
        return endGroup(this.folders);
    }

    /** @returns whether the group is gone; the kernel keeps groups with processes */
    remove(): boolean {
        return removeFolders(this.folders);
    }
}

/** As of {@link RunGroup.end}; a group of an earlier process may be gone. */
async function endGroup(folders: Parents): Promise<void> {
    const { version, memory, pids } = folders;
    // Otherwise, processes could start others faster than they are killed.
    if (existsSync(pids)) {
        writeFileSync(join(pids, "pids.max"), "0");
    }
    const list = () => [...new Set([memory, pids].flatMap(processesIn))];
    for (let round = 0, found = list(); found.length > 0; round += 1, found = list()) {
        if (round === maxRounds) {
            throw new Error("Processes of an agent or a build cannot be ended.");
        }
        if (version === 2) {
            writeFileSync(join(memory, "cgroup.kill"), "1");
        } else {
            found.forEach(kill);
        }
        await sleep(roundMs);
    }
    // The kernel may need seconds to free the memory of an ended process. A later run then removes the group.
    for (let round = 1; !removeFolders(folders) && round < maxRounds; round += 1) {
        await sleep(roundMs);
    }
}

function processesIn(group: string): number[] {
    const list = join(group, "cgroup.procs");
    return existsSync(list)
        ? readFileSync(list, "utf8")
              .split("\n")
              .map(Number)
              .filter((pid) => pid > 0)
        : [];
}

function removeFolders({ memory, pids }: Parents): boolean {
    return [...new Set([memory, pids])].map(removeGroup).every(Boolean);
}

/** The files of a group that limit its memory, and what they contain. */
function memoryFiles(version: 1 | 2, megabytes: number): [file: string, value: string, optional: boolean][] {
    const bytes = String(megabytes * 2 ** 20);
    return version === 2
        ? [
              ["memory.max", bytes, false],
              ["memory.swap.max", "0", true],
              ["memory.oom.group", "1", true],
          ]
        : [
              ["memory.limit_in_bytes", bytes, false],
              ["memory.memsw.limit_in_bytes", bytes, true],
              ["memory.kmem.tcp.limit_in_bytes", bytes, true],
          ];
}

function describeFault(error: unknown): string {
    const { code, path = "control groups" } = error as NodeJS.ErrnoException;
    return code === "EBUSY"
        ? `other processes are in its control group (${path})`
        : `the service may not change its control group (${code} for ${path})`;
}

interface Mount {
    readonly root: string;
    readonly place: string;
    readonly type: string;
    readonly options: readonly string[];
}

/** https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html */
function mounts(): Mount[] {
    const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n").filter(Boolean);
    return lines.map((line) => {
        const [before = "", after = ""] = line.split(" - ", 2);
        const [, , , root = "", place = ""] = before.split(" ");
        const [type = "", , options = ""] = after.split(" ");
        return { root, place, type, options: options.split(",") };
    });
}

/** https://man7.org/linux/man-pages/man7/cgroups.7.html */
function findParents(own: string, mounted: readonly Mount[]): Parents | undefined {
    const groups = own.split("\n").map((line) => /^\d+:([^:]*):(.*)$/.exec(line)?.slice(1) ?? []);
    const find = (controller: string) => {
        const [, path] = groups.find(([names]) => names?.split(",").includes(controller)) ?? [];
        const mount = mounted.find(({ type, options }) =>
            controller === "" ? type === "cgroup2" : type === "cgroup" && options.includes(controller),
        );
        return path === undefined || mount === undefined
            ? undefined
            : join(mount.place, path === mount.root ? "" : mount.root === "/" ? path : path.slice(mount.root.length));
    };
    const unified = find("");
    const controllers = unified === undefined ? [] : readWords(join(unified, "cgroup.controllers"));
    if (unified !== undefined && ["memory", "pids"].every((name) => controllers.includes(name))) {
        return { version: 2, memory: unified, pids: unified };
    }
    const [memory, pids] = [find("memory"), find("pids")];
    return memory === undefined || pids === undefined ? undefined : { version: 1, memory, pids };
}

/** Lets the groups in a group have limits. */
function delegate(parent: string): void {
    const enable = () => writeFileSync(join(parent, "cgroup.subtree_control"), "+memory +pids");
    try {
        enable();
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EBUSY") {
            throw error;
        }
        mkdirSync(join(parent, "service"), { recursive: true });
        writeFileSync(join(parent, "service/cgroup.procs"), String(process.pid));
        enable();
    }
}

function removeStale(parent: string): void {
    for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
        const folder = join(parent, name);
        const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
        if (Date.now() - changedAt > staleMs) {
            removeGroup(folder);
        }
    }
}

function removeGroup(folder: string): boolean {
    try {
        rmdirSync(folder);
        return true;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "ENOENT";
    }
}

function kill(pid: number): void {
    try {
        process.kill(pid, "SIGKILL");
    } catch {
        // The process has exited in the meantime.
    }
}

function readWords(file: string): string[] {
    return readFileSync(file, "utf8").trim().split(/\s+/);
}

/** A count in a file with a name and a number on each line. */
async function readCount(file: string, name: string): Promise<number> {
    const text = await readFile(file, "utf8").catch(() => "");
    return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}
