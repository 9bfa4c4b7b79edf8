import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isWithin } from "@pulumi-static-export/exporter";
import { type ProcessMark } from "./process-mark.js";

const maxRounds = 100;
const roundMs = 10;

/** Identifies a run's processes. */
interface RunTraces {
    mark: ProcessMark;
    /**
     * The folder in which agents work, as a path without links. A process in this folder belongs to an agent if the
     * process has no terminal.
     */
    folder?: string;
}

interface Process {
    pid: number;
    parent: number;
    /** Unique together with the process id. */
    startedAt: string;
    session: number;
    terminal: number;
}

/**
 * Finds the processes of a run by their mark and folder, and by their parents if `measure` has seen the parents. Also
 * finds processes that have left their session or cleared their environment. Finds no processes on a machine without
 * /proc.
 */
export class RunProcesses {
    readonly #traces: RunTraces;
    /** Start time by process id. */
    readonly #seen = new Map<number, string>();

    constructor(traces: RunTraces) {
        this.#traces = traces;
    }

    /**
     * The number of the run's processes, their memory with their part of what they share, and the size of the deleted
     * files that they have open.
     */
    async measure(): Promise<{ count: number; memoryBytes: number; deletedBytes: number }> {
        const found = await this.#find();
        const sizes = await Promise.all(found.map(readMemory));
        const open = new Map((await Promise.all(found.map(readDeletedFiles))).flat());
        const sum = (values: Iterable<DeletedFile>, isInMemory: boolean) =>
            [...values].reduce((bytes, file) => bytes + (file.isInMemory === isInMemory ? file.bytes : 0), 0);
        return {
            count: found.length,
            memoryBytes: sizes.reduce((bytes, size) => bytes + size, 0) + sum(open.values(), true),
            deletedBytes: sum(open.values(), false),
        };
    }

    /**
     * Kills all processes of the run, and resolves when none of them runs.
     *
     * @throws if some cannot be killed
     */
    async killAll(): Promise<void> {
        for (let round = 0; round < maxRounds; round += 1) {
            const found = await this.#find();
            if (found.length === 0) {
                return;
            }
            for (const pid of found) {
                try {
                    process.kill(pid, "SIGKILL");
                } catch {
                    // The process has exited in the meantime.
                }
            }
            await sleep(roundMs);
        }
        throw new Error("Processes of an agent or a build cannot be ended.");
    }

    /** Gives the processes ten seconds to exit, then kills them. */
    async awaitEnd(): Promise<void> {
        for (let round = 0; round < maxRounds && (await this.#find()).length > 0; round += 1) {
            await sleep(10 * roundMs);
        }
        await this.killAll();
    }

    async #find(): Promise<number[]> {
        const processes = await listProcesses();
        const own = new Set<number>();
        for (const each of processes) {
            if (this.#seen.get(each.pid) === each.startedAt || (await this.#hasTrace(each))) {
                own.add(each.pid);
            }
        }
        for (let size = 0; size !== own.size;) {
            size = own.size;
            for (const { pid, parent, session } of processes) {
                if (own.has(parent) || own.has(session)) {
                    own.add(pid);
                }
            }
        }
        const found = processes.filter(({ pid }) => own.has(pid));
        found.forEach(({ pid, startedAt }) => this.#seen.set(pid, startedAt));
        return found.map(({ pid }) => pid);
    }

    async #hasTrace({ pid, terminal }: Process): Promise<boolean> {
        const { mark, folder } = this.#traces;
        if (await mark.isOn(pid)) {
            return true;
        }
        if (folder === undefined || terminal !== 0) {
            return false;
        }
        const place = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
        return place !== undefined && isWithin(folder, place);
    }
}

/** Private memory, and the process's part of shared memory. */
async function readMemory(pid: number): Promise<number> {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "");
    const kilobytes = (text: string, name: string) =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0);
    const rollup = await read("smaps_rollup");
    const [text, own, shared] =
        rollup === "" ? [await read("status"), "RssAnon", "RssShmem"] : [rollup, "Pss_Anon", "Pss_Shmem"];
    return (kilobytes(text, own) + kilobytes(text, shared)) * 1024;
}

interface DeletedFile {
    readonly bytes: number;
    /** For example of `memfd_create`. */
    readonly isInMemory: boolean;
}

/** The deleted files that a process has open, by their device and number. */
async function readDeletedFiles(pid: number): Promise<[string, DeletedFile][]> {
    const folder = `/proc/${pid}/fd`;
    const names = await readdir(folder).catch((): string[] => []);
    const found = await Promise.all(
        names.map(async (name): Promise<[string, DeletedFile] | undefined> => {
            const target = await readlink(`${folder}/${name}`).catch(() => "");
            if (!target.endsWith(" (deleted)")) {
                return undefined;
            }
            const stats = await stat(`${folder}/${name}`).catch(() => undefined);
            const isInMemory = target.startsWith("/memfd:");
            return stats?.isFile() === true && stats.nlink === 0
                ? [`${stats.dev}:${stats.ino}`, { bytes: stats.blocks * 512, isInMemory }]
                : undefined;
        }),
    );
    return found.filter((each) => each !== undefined);
}

/** The running processes, without zombies. */
async function listProcesses(): Promise<Process[]> {
    const names = (await readdir("/proc").catch((): string[] => [])).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(names.map((name) => readProcess(Number(name))));
    return found.filter((each) => each !== undefined);
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
async function readProcess(pid: number): Promise<Process | undefined> {
    const text = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
    // Skips everything up to the end of the name, which may contain any character.
    const [state, parent, , session, terminal, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    if (state === undefined || parent === undefined || ["", "Z", "X"].includes(state)) {
        return undefined;
    }
    return {
        pid,
        parent: Number(parent),
        session: Number(session),
        terminal: Number(terminal),
        startedAt: rest[14] ?? "",
    };
}
