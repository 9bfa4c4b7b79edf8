import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listFiles } from "../test-run/changed-files.js";
import { specsOfChanges } from "../test-run/changed-specs.js";
import { isInTest } from "../test-run/groups.js";
import { instrument, type Mutant } from "./instrument.js";
import { type Baseline, type Task, type Try, type TryResult } from "./run-specs.js";

/*
 * `npm run mutants -- FILE… [SPEC…] [--except=WORDS] [--minutes=NUMBER] [--numbers]` changes one expression of the
 * files at a time, and runs the specs that execute it, except those with WORDS in their title. It lists the changes
 * that no spec notices: each is in code that is not needed, or in behaviour without a spec, or changes nothing that
 * anybody sees. With `--numbers`, it multiplies the files' numbers by ten instead.
 */

/** How many changes one process tries, before it must show that the specs still pass. */
const batch = 48;

const options = process.argv.slice(2);
const files = options.filter((option) => !/^--|\.spec\.ts$/.test(option));
const chosen = options.filter((option) => option.endsWith(".spec.ts"));
const valueOf = (name: string) => options.find((option) => option.startsWith(`--${name}=`))?.slice(name.length + 3);
const except = valueOf("except");
const endAtMs = performance.now() + Number(valueOf("minutes") ?? Infinity) * 60_000;

if (files.length === 0) {
    console.error(
        "Usage: npm run mutants -- FILE… [SPEC…] [--except=WORDS] [--minutes=NUMBER] [--numbers]\n\n" +
            "Without specs, the specs of `npm test` that import a file run.",
    );
    process.exitCode = 2;
} else {
    process.exitCode = (await main()) ? 0 : 1;
}

async function main(): Promise<boolean> {
    const specs = chosen.length > 0 ? chosen : directSpecs();
    const { mutants, sources } = await instrument(files, { onlyNumbers: options.includes("--numbers") });
    const baseline = await runAll({ sources, specs, except, timeoutMs: 120_000 });
    if (baseline === undefined || baseline.failed.length > 0) {
        console.error(`The specs fail without any change:\n${baseline?.failed.join("\n") ?? "their process ended"}`);
        return false;
    }
    const longest = Math.max(...Object.values(baseline.durations));
    const task = { sources, specs, timeoutMs: 5000 + 5 * longest };
    const results = await tryMutants(mutants, task, baseline);
    for (const file of files) {
        describe(
            file,
            mutants.filter((mutant) => mutant.file === file),
            results,
        );
    }
    return true;
}

function directSpecs(): string[] {
    const { specs } = specsOfChanges(files, listFiles(), (file) => readFileSync(file, "utf8"), 0);
    return specs.filter(isInTest);
}

async function runAll(task: Task): Promise<Baseline | undefined> {
    let baseline: Baseline | undefined;
    await inProcess(task, 600_000, (message) => (baseline = message as Baseline));
    return baseline;
}

type Result = "noticed" | "not noticed" | "not executed" | "not tried";

async function tryMutants(
    mutants: readonly Mutant[],
    task: Task,
    { durations, titles, atLoad }: Baseline,
): Promise<Map<string, Result>> {
    const results = new Map<string, Result>();
    const wholeMs = Object.values(durations).reduce((sum, each) => sum + each, 0);
    const run = async (tries: readonly Try[]): Promise<boolean> => {
        let current: string | undefined;
        let isTrusted = true;
        await inProcess({ ...task, tries }, task.timeoutMs + 20_000 + 2 * wholeMs, (message) => {
            if (isBeginning(message)) {
                current = message.begin;
                return;
            }
            const { mutant, failed } = message as TryResult;
            current = undefined;
            if (mutant !== undefined) {
                results.set(mutant, failed.length > 0 ? "noticed" : "not noticed");
            } else {
                isTrusted = failed.length === 0;
            }
        });
        if (current !== undefined) {
            // It ended the process, or did not end at all.
            results.set(current, "noticed");
        }
        return isTrusted;
    };
    const covered = mutants.filter(({ id }) => titles[id] !== undefined);
    const control: Try = { mutant: undefined, titles: [...new Set(covered.flatMap(({ id }) => titles[id]!))] };
    const tryAll = async (tries: readonly Try[]): Promise<void> => {
        if (await run([...tries, control])) {
            return;
        }
        // An earlier change may have left something behind that makes the specs of later ones fail.
        tries.forEach(({ mutant }) => results.delete(mutant!));
        if (tries.length === 1) {
            await run(tries);
            return;
        }
        const half = Math.ceil(tries.length / 2);
        for (const part of [tries.slice(0, half), tries.slice(half)]) {
            if (performance.now() < endAtMs) {
                await tryAll(part);
            }
        }
    };
    let left = covered.map(({ id }): Try => ({ mutant: id, titles: titles[id]! }));
    while (left.length > 0 && performance.now() < endAtMs) {
        await tryAll(left.slice(0, batch));
        left = left.filter(({ mutant }) => !results.has(mutant!));
        console.error(`${left.length} of ${covered.length} changes are left.`);
    }
    for (const id of atLoad.filter((each) => titles[each] === undefined)) {
        if (performance.now() < endAtMs) {
            await run([{ mutant: id, titles: Object.keys(durations), atLoad: true }]);
            // Specs that cannot even be loaded notice the change.
            results.set(id, results.get(id) ?? "noticed");
        } else {
            results.set(id, "not tried");
        }
    }
    left.forEach(({ mutant }) => results.set(mutant!, "not tried"));
    mutants.filter(({ id }) => !results.has(id)).forEach(({ id }) => results.set(id, "not executed"));
    return results;
}

function isBeginning(message: object): message is { begin?: string } {
    return Object.keys(message).length === 0 || "begin" in message;
}

/** Runs a task in a separate process, which ends when it is silent for too long. */
async function inProcess(task: Task, maxSilentMs: number, onMessage: (message: object) => void): Promise<void> {
    const script = fileURLToPath(new URL("run-specs.ts", import.meta.url));
    const child = fork(script, {
        execArgv: ["--import", "tsx"],
        stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.send(task);
    await new Promise<void>((ended) => {
        let timer: NodeJS.Timeout;
        const wait = (ms: number): void => {
            clearTimeout(timer);
            timer = setTimeout(() => child.kill("SIGKILL"), ms);
        };
        // A busy machine loads the specs slowly.
        wait(Math.max(maxSilentMs, 180_000));
        child.on("message", (message) => {
            wait(maxSilentMs);
            onMessage(message as object);
        });
        child.on("exit", () => {
            clearTimeout(timer);
            ended();
        });
    });
}

function describe(file: string, mutants: readonly Mutant[], results: ReadonlyMap<string, Result>): void {
    const are = (result: Result): Mutant[] => mutants.filter(({ id }) => results.get(id) === result);
    const noticed = are("noticed").length;
    const [notTried, tried] = [are("not tried").length, mutants.length - are("not tried").length];
    const percent = tried === 0 ? 0 : Math.floor((1000 * noticed) / tried) / 10;
    console.log(
        `${file}: ${noticed} of ${tried} changes noticed (${percent} %)${notTried > 0 ? `, ${notTried} not tried` : ""}`,
    );
    for (const result of ["not noticed", "not executed"] as const) {
        are(result).forEach(({ line, change }) => console.log(`  ${result}: line ${line}: ${change}`));
    }
}
