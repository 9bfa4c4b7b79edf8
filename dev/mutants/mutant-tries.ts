import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Mutant } from "./instrument.js";
import { type Baseline, type Task, type Try, type TryResult } from "./run-specs.js";

/** How many changes one process tries, before it must show that the specs still pass. */
const batch = 96;

/** How long the specs of a change may take that are tried first: most changes are noticed by one of them. */
const firstSpecsMs = 300;

/** How long the specs of one change may take that do not import its file. */
const otherSpecsMs = 3000;

export type Result = "noticed" | "not noticed" | "not executed" | "not tried";

interface MutantTriesOptions {
    readonly mutants: readonly Mutant[];
    readonly task: Task;
    readonly baseline: Baseline;
    /** The specs that import these files. */
    readonly specsOf: (files: readonly string[]) => readonly string[];
    /** When the last try may begin, on the clock of `performance.now()`. */
    readonly endAtMs: number;
    /** Is called with a file as soon as the results of its changes are known. */
    readonly onFile: (file: string, mutants: readonly Mutant[], results: ReadonlyMap<string, Result>) => void;
}

/** Runs the specs once without any change. */
export async function runUnchanged(task: Task): Promise<Baseline | undefined> {
    let baseline: Baseline | undefined;
    await inProcess(task, (message) => {
        baseline = message as Baseline;
        return 600_000;
    });
    return baseline;
}

/** Tries changes, each with the specs that execute it. */
export class MutantTries {
    readonly #options: MutantTriesOptions;
    readonly #results = new Map<string, Result>();
    readonly #described = new Set<string>();
    readonly #importing: Record<string, readonly string[]> = {};

    constructor(options: MutantTriesOptions) {
        this.#options = options;
    }

    async run(): Promise<void> {
        const { mutants, baseline } = this.#options;
        const covered = mutants.filter(({ id }) => baseline.titles[id] !== undefined);
        const others = mutants.filter(({ id }) => baseline.titles[id] === undefined);
        const atLoad = others.filter(({ id }) => baseline.atLoad.includes(id));
        others.filter((each) => !atLoad.includes(each)).forEach(({ id }) => this.#results.set(id, "not executed"));
        for (let start = 0; start < covered.length && this.#isInTime(); start += batch) {
            await this.#tryTwice(covered.slice(start, start + batch));
            console.error(`${Math.max(0, covered.length - start - batch)} of ${covered.length} changes are left.`);
            this.#describeKnown();
        }
        // Last, because each of these changes needs a process of its own.
        for (const mutant of atLoad.filter(() => this.#isInTime())) {
            await this.#tryAtLoad(mutant);
            this.#describeKnown();
        }
        mutants.filter(({ id }) => !this.#results.has(id)).forEach(({ id }) => this.#results.set(id, "not tried"));
        this.#describeKnown();
    }

    #isInTime(): boolean {
        return performance.now() < this.#options.endAtMs;
    }

    /** Tries what the quickest specs do not notice again, with all specs that import its file. */
    async #tryTwice(mutants: readonly Mutant[]): Promise<void> {
        const quick = mutants.map(({ id }): Try => ({ mutant: id, titles: this.#specsWithin(id, firstSpecsMs, []) }));
        await this.#tryAll(quick.filter(({ titles }) => titles.length > 0));
        const left = mutants.filter(({ id }) => this.#results.get(id) !== "noticed");
        left.forEach(({ id }) => this.#results.delete(id));
        await this.#tryAll(
            left.map(({ id, file }) => ({
                mutant: id,
                titles: this.#specsWithin(id, otherSpecsMs, this.#specsOf(file)),
            })),
        );
    }

    #specsWithin(id: string, withinMs: number, always: readonly string[]): string[] {
        return this.#quickest(this.#options.baseline.titles[id]!, withinMs, always);
    }

    /** @returns the quickest of these specs, because together, they may take minutes */
    #quickest(titles: readonly string[], withinMs: number, always: readonly string[]): string[] {
        const { files, durations } = this.#options.baseline;
        const msOf = (title: string): number => durations[title] ?? 0;
        let leftMs = withinMs;
        return [...titles]
            .sort((a, b) => msOf(a) - msOf(b))
            .filter((title) => always.includes(files[title]!) || (leftMs -= msOf(title)) > 0);
    }

    #specsOf(file: string): readonly string[] {
        const { task, specsOf } = this.#options;
        return (this.#importing[file] ??= specsOf([file]).filter((spec) => task.specs.includes(spec)));
    }

    async #tryAll(tries: readonly Try[]): Promise<void> {
        let left = tries;
        while (left.length > 0 && this.#isInTime()) {
            await this.#tryPart(left);
            const before = left.length;
            left = left.filter(({ mutant }) => !this.#results.has(mutant!));
            if (left.length === before) {
                throw new Error("The process with the specs ended at once.");
            }
        }
    }

    async #tryPart(tries: readonly Try[]): Promise<void> {
        const control = { mutant: undefined, titles: [...new Set(tries.flatMap((each) => each.titles))] };
        if (await this.#runTries([...tries, control])) {
            return;
        }
        // An earlier change may have left something behind that makes the specs of later ones fail.
        tries.forEach(({ mutant }) => this.#results.delete(mutant!));
        if (tries.length === 1) {
            await this.#runTries(tries);
            return;
        }
        const half = Math.ceil(tries.length / 2);
        for (const part of [tries.slice(0, half), tries.slice(half)]) {
            if (this.#isInTime()) {
                await this.#tryPart(part);
            }
        }
    }

    /**
     * Runs the specs that import the file, and the quickest of those that execute any code of it; then the quickest of
     * all, because a spec that only uses a file's values executes no code of it.
     */
    async #tryAtLoad({ id, file }: Mutant): Promise<void> {
        const { mutants, baseline } = this.#options;
        const all = Object.keys(baseline.durations);
        const ofFile = mutants.flatMap((each) => (each.file === file ? (baseline.titles[each.id] ?? []) : []));
        const direct = all.filter((title) => this.#specsOf(file).includes(baseline.files[title]!));
        const chosen = [...new Set([...direct, ...this.#quickest([...new Set(ofFile)], otherSpecsMs, [])])];
        // With all specs of a folder, each of these changes would take minutes.
        for (const titles of [chosen, this.#quickest(all, otherSpecsMs, [])]) {
            if (titles.length > 0 && this.#results.get(id) !== "noticed") {
                this.#results.delete(id);
                await this.#runTries([{ mutant: id, titles, atLoad: true }]);
                // Specs that cannot even be loaded notice the change.
                this.#results.set(id, this.#results.get(id) ?? "noticed");
            }
        }
    }

    /** @returns whether the specs pass without a change after these tries */
    async #runTries(tries: readonly Try[]): Promise<boolean> {
        const { task, baseline } = this.#options;
        const { files, durations } = baseline;
        const needed = [...new Set(tries.flatMap(({ titles }) => titles.map((title) => files[title]!)))];
        let current: string | undefined;
        let isTrusted = true;
        await inProcess({ ...task, specs: needed, tries }, (message) => {
            if (isBeginning(message)) {
                current = message.begin;
                // The first spec that fails ends the try.
                const titles = tries.find(({ mutant }) => mutant === current)?.titles ?? [];
                const longestMs = Math.max(0, ...titles.map((title) => task.limitsMs?.[title] ?? 0));
                return 8000 + longestMs + 2 * titles.reduce((sum, title) => sum + (durations[title] ?? 0), 0);
            }
            const { mutant, failed } = message as TryResult;
            current = undefined;
            if (mutant !== undefined) {
                this.#results.set(mutant, failed.length > 0 ? "noticed" : "not noticed");
            } else {
                isTrusted = failed.length === 0;
                failed.forEach((each) => console.error(`Fails after other changes: ${each.slice(0, 200)}`));
            }
            return task.timeoutMs;
        });
        if (current !== undefined) {
            // It ended the process, or did not end at all.
            this.#results.set(current, "noticed");
        }
        return isTrusted;
    }

    #describeKnown(): void {
        for (const file of new Set(this.#options.mutants.map((each) => each.file))) {
            const ofFile = this.#options.mutants.filter((mutant) => mutant.file === file);
            if (!this.#described.has(file) && ofFile.every(({ id }) => this.#results.has(id))) {
                this.#described.add(file);
                this.#options.onFile(file, ofFile, this.#results);
            }
        }
    }
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
