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

/** How long the specs of one change may take that do not import its file. */
const otherSpecsMs = 3000;

const allFiles = listFiles();
const texts: Record<string, string> = {};
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
    const specs = chosen.length > 0 ? chosen : specsOf(files);
    const { mutants, sources } = await instrument(files, { onlyNumbers: options.includes("--numbers") });
    const baseline = await runAll({ sources, specs, except, timeoutMs: 120_000 });
    if (baseline === undefined || baseline.failed.length > 0) {
        console.error(`The specs fail without any change:\n${baseline?.failed.join("\n") ?? "their process ended"}`);
        return false;
    }
    const durations = Object.entries(baseline.durations);
    const limitsMs = Object.fromEntries(durations.map(([title, usualMs]) => [title, 3000 + 5 * usualMs]));
    const task = { sources, specs, limitsMs, timeoutMs: Math.max(...Object.values(limitsMs)) };
    for (const file of files) {
        const ofFile = mutants.filter((mutant) => mutant.file === file);
        describe(file, ofFile, await tryMutants(ofFile, task, baseline));
    }
    return true;
}

/** @returns the specs that import these files */
function specsOf(sources: readonly string[]): string[] {
    const { specs } = specsOfChanges(sources, allFiles, (file) => (texts[file] ??= readFileSync(file, "utf8")), 0);
    return specs.filter(isInTest);
}

async function runAll(task: Task): Promise<Baseline | undefined> {
    let baseline: Baseline | undefined;
    await inProcess(task, (message) => {
        baseline = message as Baseline;
        return 600_000;
    });
    return baseline;
}

type Result = "noticed" | "not noticed" | "not executed" | "not tried";

async function tryMutants(
    mutants: readonly Mutant[],
    task: Task,
    { durations, files: specOf, titles, atLoad }: Baseline,
): Promise<Map<string, Result>> {
    const results = new Map<string, Result>();
    const msOf = (title: string): number => durations[title] ?? 0;
    const direct = specsOf(mutants.slice(0, 1).map(({ file }) => file)).filter((spec) => task.specs.includes(spec));
    // The quickest first: for a file that all of them execute, they take minutes together.
    const tryOf = ({ id }: Mutant): Try => {
        let leftMs = otherSpecsMs;
        const chosenTitles = [...titles[id]!]
            .sort((a, b) => msOf(a) - msOf(b))
            .filter((title) => direct.includes(specOf[title]!) || (leftMs -= msOf(title)) > 0);
        return { mutant: id, titles: chosenTitles };
    };
    const run = async (tries: readonly Try[], specs?: readonly string[]): Promise<boolean> => {
        const needed = specs ?? [...new Set(tries.flatMap((each) => each.titles.map((title) => specOf[title]!)))];
        let current: string | undefined;
        let isTrusted = true;
        await inProcess({ ...task, specs: needed, tries }, (message) => {
            if (isBeginning(message)) {
                current = message.begin;
                // The first spec that fails ends the try.
                const specsOfTry = tries.find((each) => each.mutant === current)?.titles ?? [];
                const longestMs = Math.max(0, ...specsOfTry.map((title) => task.limitsMs?.[title] ?? 0));
                return 8000 + longestMs + 2 * specsOfTry.reduce((sum, title) => sum + msOf(title), 0);
            }
            const { mutant, failed } = message as TryResult;
            current = undefined;
            if (mutant !== undefined) {
                results.set(mutant, failed.length > 0 ? "noticed" : "not noticed");
            } else {
                isTrusted = failed.length === 0;
                failed.forEach((each) => console.error(`Fails after other changes: ${each.slice(0, 200)}`));
            }
            return task.timeoutMs;
        });
        if (current !== undefined) {
            // It ended the process, or did not end at all.
            results.set(current, "noticed");
        }
        return isTrusted;
    };
    const covered = mutants.filter(({ id }) => titles[id] !== undefined);
    const tryAll = async (tries: readonly Try[]): Promise<void> => {
        const control = { mutant: undefined, titles: [...new Set(tries.flatMap((each) => each.titles))] };
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
    let left = covered.map(tryOf);
    while (left.length > 0 && performance.now() < endAtMs) {
        await tryAll(left.slice(0, batch));
        const before = left.length;
        left = left.filter(({ mutant }) => !results.has(mutant!));
        if (left.length === before) {
            throw new Error("The process with the specs ended at once.");
        }
        console.error(`${left.length} of ${covered.length} changes are left.`);
    }
    for (const { id } of mutants.filter((each) => atLoad.includes(each.id) && titles[each.id] === undefined)) {
        if (performance.now() < endAtMs) {
            // With all specs of a folder, each of these changes would take a minute.
            const specs = direct.length > 0 ? direct : task.specs;
            await run([{ mutant: id, titles: Object.keys(durations), atLoad: true }], specs);
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

/**
 * Runs a task in a separate process.
 * @param onMessage returns how many milliseconds the process may be silent until it is ended
 */
async function inProcess(task: Task, onMessage: (message: object) => number): Promise<void> {
    const script = fileURLToPath(new URL("run-specs.ts", import.meta.url));
    const child = fork(script, {
        execArgv: ["--import", "tsx"],
        stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    child.send(task);
    await new Promise<void>((ended) => {
        let timer: NodeJS.Timeout;
        const wait = (ms: number): void => {
            clearTimeout(timer);
            timer = setTimeout(() => child.kill("SIGKILL"), ms);
        };
        // A process without mutants is silent until all specs have run, and a busy machine loads them slowly.
        wait(task.tries === undefined ? 600_000 : 180_000);
        child.on("message", (message) => wait(onMessage(message as object)));
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
