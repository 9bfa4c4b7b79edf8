import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface BoundedCommand {
    command: string;
    args: string[];
    env: NodeJS.ProcessEnv;
}

/** The bundled program of an export process; the path is the same from src/process/ and from dist/process/. */
const program = fileURLToPath(new URL("../../dist/bundled/export-process-main.mjs", import.meta.url));

const shell = "/bin/sh";

const stackKilobytes = 8192;
const maxOpenFiles = 256;

/** Memory for the parser, buffers, code and threads, in addition to the JavaScript heap. */
export const nativeMegabytes = 512;

/** Address space for the code of each thread, which V8 of Node.js 24 reserves and which counts as data. */
const reservedMegabytes = 1024;

/** The reserved address space of a thread that renders pages, and its memory. */
const megabytesOfAWorker = 768;

/**
 * The limits for V8's young generation are larger than Node's default: less frequent garbage collection saves a
 * measured 16 % of a large export's CPU time.
 */
const youngMegabytes = { least: 16, most: 32 };

/**
 * With a heap limit, V8 grows the heap in small steps and collects garbage after each, which took a fifth of the time.
 */
const heapGrowingPercent = 150;

/**
 * The maximum size of the bytecode that V8 may inline into one function. With its default, 920 bytes, compiling takes
 * more time than it saves, measured in instructions: 3 % of an export of 4000 pages, 9 % of an export of 1000, and 17 %
 * of exports of 100 to 200 larger pages.
 */
const maxInlinedBytes = 50;

/** Gives requests and downloads priority over exports. */
const defaultNiceness = 5;

/** The Node.js options of an export process. */
export function exportNodeOptions(memoryMegabytes: number): string[] {
    return [
        `--max-old-space-size=${memoryMegabytes}`,
        `--min-semi-space-size=${youngMegabytes.least}`,
        `--max-semi-space-size=${youngMegabytes.most}`,
        `--heap-growing-percent=${heapGrowingPercent}`,
        `--max-inlined-bytecode-size-cumulative=${maxInlinedBytes}`,
    ];
}

/**
 * The command of an export process. The command limits memory, stack and open files, makes the process the first to be
 * killed if the machine runs out of memory, and removes the service's environment. Without a shell, only the JavaScript
 * heap is limited.
 */
export function createBoundedCommand(memoryMegabytes: number, niceness = defaultNiceness, cores = 1): BoundedCommand {
    const node = [process.execPath, ...exportNodeOptions(memoryMegabytes), program];
    if (!existsSync(shell)) {
        const { SystemRoot } = process.env;
        return { command: node[0] as string, args: node.slice(1), env: SystemRoot === undefined ? {} : { SystemRoot } };
    }
    const ofWorkers = cores > 1 ? cores * megabytesOfAWorker : 0;
    const dataKilobytes = (memoryMegabytes + nativeMegabytes + reservedMegabytes + ofWorkers) * 1024;
    // A limit that the system does not support, or that is already lower, is not changed.
    const limits = [
        "ulimit -c 0",
        `ulimit -n ${maxOpenFiles}`,
        `ulimit -s ${stackKilobytes}`,
        `ulimit -d ${dataKilobytes}`,
        "echo 1000 > /proc/self/oom_score_adj",
    ].map((limit) => `{ ${limit}; } 2>/dev/null`);
    const run = `command -v nice >/dev/null && exec nice -n ${niceness} "$@"; exec "$@"`;
    return {
        command: shell,
        args: ["-c", [...limits, run].join("\n"), shell, ...node],
        env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    };
}
