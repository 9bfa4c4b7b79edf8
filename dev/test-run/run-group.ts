import { spawn } from "node:child_process";
import { once } from "node:events";
import { statfsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { partialResults } from "./file-reporter.js";
import { type Group } from "./groups.js";
import { readProcessorTime, recordingTo } from "./processor-time.js";
import { type FileResult } from "./results.js";
import { keepingTo, type TimeLimit } from "./time-limit.js";

const mocha = createRequire(import.meta.url).resolve("mocha/bin/mocha.js");
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const rootHooks = ["processor-time.ts", "time-limit.ts"].map((name) => `--require=${here(name)}`);

interface GroupOptions {
    /** Options for mocha, such as `--grep x`. */
    readonly mochaArguments: readonly string[];
    readonly env?: NodeJS.ProcessEnv;
    readonly limit?: TimeLimit | undefined;
}

/**
 * Runs the specs of a group in a separate mocha. If mocha ends early, the group counts as failed.
 * @returns a result for each file; with a time limit, only for the files that ended in time
 */
export async function runGroup(group: Group, { mochaArguments, env, limit }: GroupOptions): Promise<FileResult[]> {
    const folder = await mkdtemp(join(tmpdir(), "static-export-specs-"));
    const results = join(folder, "results.json");
    const times = join(folder, "processor-time.jsonl");
    const parallel = group.jobs > 1 && group.files.length > 1 ? ["--parallel", `--jobs=${group.jobs}`] : [];
    const options = [
        ...["--no-config", "--exit", `--timeout=${group.timeoutMs}`, "--require=./tests/fixed-seed.ts"],
        ...[...rootHooks, ...parallel],
        ...[`--reporter=${here("file-reporter.ts")}`, `--reporter-option=results=${results}`, ...mochaArguments],
    ];
    try {
        const child = spawn(process.execPath, ["--import=tsx", mocha, ...options, ...group.files], {
            stdio: ["ignore", "inherit", "inherit"],
            env: {
                ...process.env,
                ...env,
                ...recordingTo(times),
                ...keepingTo(limit),
                ...(group.usesMemory ? temporaryFilesInMemory() : {}),
            },
        });
        let isStopped = false;
        const stop = () => (isStopped = child.kill("SIGKILL"));
        const timer = limit && setTimeout(stop, limit.stopAt - Date.now());
        const [exitCode, signal] = (await once(child, "exit")) as [number | null, string | null];
        clearTimeout(timer);
        const text = await readFile(isStopped ? partialResults(results) : results, "utf8").catch(() =>
            isStopped ? "[]" : undefined,
        );
        if (text !== undefined) {
            const processorSeconds = readProcessorTime(times);
            return (JSON.parse(text) as FileResult[]).map((result) =>
                withProcessorTime(result, processorSeconds.get(result.file) ?? 0, group),
            );
        }
        const message = `Mocha ended with ${signal ?? exitCode} before it reported its results. See the output above.`;
        const failure = {
            file: `${group.files.length} files`,
            title: `the specs of the group "${group.name}"`,
            message,
        };
        return [{ file: failure.file, passing: 0, pending: [], failures: [failure], seconds: 0, processorSeconds: 0 }];
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

/** Linux has a folder in memory, which is too small in some containers. */
function temporaryFilesInMemory(): NodeJS.ProcessEnv {
    const folder = "/dev/shm";
    try {
        const { bavail, bsize } = statfsSync(folder);
        return bavail * bsize > 2 ** 30 ? { TMPDIR: folder } : {};
    } catch {
        return {};
    }
}

/** Adds the CPU time, and a failure if the file used more than its group allows. */
function withProcessorTime(
    result: FileResult,
    processorSeconds: number,
    { name, maxProcessorSeconds = Number.POSITIVE_INFINITY }: Group,
): FileResult {
    if (processorSeconds <= maxProcessorSeconds) {
        return { ...result, processorSeconds };
    }
    const { file } = result;
    const message =
        `It used ${processorSeconds.toFixed(1)} s of CPU time, more than the limit of the group "${name}", ` +
        `${maxProcessorSeconds} s: make the file smaller, or add ".slow" or ".long" to its name.`;
    return { ...result, processorSeconds, failures: [...result.failures, { file, title: "the whole file", message }] };
}

/** Finds the files that contain a spec to run. A single process loads all files without running their specs. */
export async function filesWithSpecs(files: readonly string[], options: GroupOptions): Promise<string[]> {
    const mochaArguments = [...options.mochaArguments, "--dry-run", "--reporter-option=quiet=true"];
    const all: Group = { name: "unit", files, jobs: 1, timeoutMs: 60_000, needsTools: false };
    const listed = await runGroup(all, { ...options, mochaArguments });
    return listed.filter(({ passing }) => passing > 0).map(({ file }) => file);
}
