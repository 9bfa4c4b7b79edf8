import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import Mocha, { type Runner } from "mocha";
import "../../tests/fixed-seed.js";
import { asModule } from "./as-module.js";

/** A message to the process of this file, which names the specs to run. */
export interface Task {
    /** JavaScript with all mutants, by the URL of its file. */
    readonly sources: Readonly<Record<string, string>>;
    readonly specs: readonly string[];
    /** Words in the titles of the specs to leave out. */
    readonly except?: string | undefined;
    readonly timeoutMs: number;
    /** How long each spec may take, by its title, because a mutant may make it wait without end. */
    readonly limitsMs?: Readonly<Record<string, number>>;
    /** The mutants to try, one after another, each with the titles of its specs; absent to run all specs once. */
    readonly tries?: readonly Try[];
}

export interface Try {
    /** Undefined for no mutant, which shows whether the specs still pass after the earlier tries. */
    readonly mutant: string | undefined;
    readonly titles: readonly string[];
    /** Whether the mutant is in code that runs when its file is loaded. */
    readonly atLoad?: boolean;
}

export interface TryResult {
    readonly mutant: string | undefined;
    readonly failed: readonly string[];
}

/** The results of all specs without a mutant. */
export interface Baseline {
    readonly failed: readonly string[];
    readonly durations: Readonly<Record<string, number>>;
    /** The file of each spec, by its title. */
    readonly files: Readonly<Record<string, string>>;
    /** The titles of the specs that execute a mutant, by its id. */
    readonly titles: Readonly<Record<string, readonly string[]>>;
    /** The mutants that were executed when their file was loaded. */
    readonly atLoad: readonly string[];
}

interface Stryker {
    activeMutant?: string | undefined;
    currentTestId?: string | undefined;
    mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

process.once("message", (task: Task) => void runTask(task).then(() => process.disconnect()));
// A change may make specs run without end, also after a Ctrl-C.
process.once("disconnect", () => process.exit());

/** Waits until the message is sent, because a disconnect drops what is left of a long message. */
async function report(message: Baseline | TryResult | { begin: string | undefined }): Promise<void> {
    await new Promise((sent) => process.send?.(message, sent));
}

async function runTask({ sources, specs, except, timeoutMs, limitsMs, tries }: Task): Promise<void> {
    const stryker: Stryker = ((globalThis as { __stryker__?: Stryker }).__stryker__ ??= {});
    registerHooks({
        load(url, context, next) {
            const file = url.split("?")[0]!;
            const source = sources[file];
            if (source !== undefined) {
                return { format: "module", source, shortCircuit: true };
            }
            const loaded = next(url, context);
            // Files that a CommonJS file requires do not pass this hook.
            const typescript = loaded.format === "commonjs" ? typescriptOf(file) : undefined;
            return typescript === undefined
                ? loaded
                : { format: "module", source: asModule(readFileSync(typescript, "utf8")), shortCircuit: true };
        },
    });
    if (tries?.[0]?.atLoad === true) {
        stryker.activeMutant = tries[0].mutant;
    }
    const mocha = new Mocha({ timeout: timeoutMs, bail: tries !== undefined, reporter: class {} as never });
    mocha.cleanReferencesAfterRun(false);
    mocha.rootHooks({
        beforeEach(this: Mocha.Context) {
            const test = this.currentTest!;
            stryker.currentTestId = test.fullTitle();
            const limitMs = limitsMs?.[test.fullTitle()];
            if (limitMs !== undefined) {
                test.timeout(limitMs);
            }
        },
        afterEach() {
            stryker.currentTestId = undefined;
        },
    });
    // Mocha would load the files with `require`, whose modules do not pass the hook.
    mocha.suite.emit("pre-require", globalThis, "", mocha);
    for (const spec of specs) {
        await import(pathToFileURL(resolve(spec)).href);
        mocha.suite.eachTest((test) => (test.file ||= spec));
    }
    if (tries === undefined) {
        if (except !== undefined) {
            mocha.grep(except).invert();
        }
        const result = await runOnce(mocha);
        const { static: atLoad = {}, perTest = {} } = stryker.mutantCoverage ?? {};
        const titles: Record<string, string[]> = {};
        for (const [title, ids] of Object.entries(perTest)) {
            Object.keys(ids).forEach((id) => (titles[id] ??= []).push(title));
        }
        await report({ ...result, titles, atLoad: Object.keys(atLoad) });
        return;
    }
    for (const { mutant, titles } of tries) {
        await report({ begin: mutant });
        mocha.grep(new RegExp(`^(${titles.map((each) => escaped(each)).join("|")})$`));
        stryker.activeMutant = mutant;
        const { failed } = await runOnce(mocha);
        stryker.activeMutant = undefined;
        await report({ mutant, failed });
        if (failed.some((each) => each.includes("Timeout of "))) {
            // What still runs would make a later spec fail.
            return;
        }
    }
}

/** Returns the source of a file, which may be compiled. */
function typescriptOf(file: string): URL | undefined {
    const source = new URL(file.replace(/\/dist\/(.*)\.js$/, "/src/$1.ts"));
    return source.pathname.endsWith(".ts") && existsSync(source) ? source : undefined;
}

async function runOnce(mocha: Mocha): Promise<Pick<Baseline, "failed" | "durations" | "files">> {
    const failed: string[] = [];
    const durations: Record<string, number> = {};
    const files: Record<string, string> = {};
    await new Promise<void>((ended) => {
        const runner: Runner = mocha.run(() => ended());
        runner.on("fail", (test, error: Error) => failed.push(`${test.fullTitle()}: ${error.message}`));
        runner.on("test end", (test) => {
            durations[test.fullTitle()] = test.duration ?? 0;
            files[test.fullTitle()] = test.file!;
        });
    });
    return { failed, durations, files };
}

function escaped(title: string): string {
    return title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
