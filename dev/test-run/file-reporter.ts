import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import Mocha from "mocha";
import { describeFile, type FileResult } from "./results.js";

const { EVENT_HOOK_END, EVENT_RUN_END, EVENT_SUITE_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } =
    Mocha.Runner.constants;

/** Returns the path of the results of the files that have ended, for a run that is stopped. */
export function partialResults(results: string): string {
    return `${results}.part`;
}

/**
 * Prints one line for each spec file when it is done, because the output of concurrent files would mix, and two
 * thousand titles would hide a failure. Writes the results to the file that its option `results` names.
 */
export default class FileReporter extends Mocha.reporters.Base {
    readonly #results: FileResult[] = [];
    readonly #file: string;
    readonly #isQuiet: boolean;
    #current: FileResult | undefined;

    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
        super(runner, options);
        const { results, quiet } = options.reporterOptions as { results: string; quiet?: string };
        this.#file = results;
        this.#isQuiet = quiet === "true";
        runner.on(EVENT_TEST_PASS, (test) => this.#of(test).passing++);
        runner.on(EVENT_TEST_PENDING, (test) => this.#of(test).pending.push(test.fullTitle()));
        runner.on(EVENT_TEST_FAIL, (test, error: Error & { file?: string }) => {
            const result = this.#of(test, error.file);
            result.failures.push({ file: result.file, title: test.fullTitle(), message: describeError(error) });
        });
        runner.on(EVENT_HOOK_END, (hook) => this.#current && (this.#current.seconds += seconds(hook)));
        // With `--parallel`, each file has its own root suite.
        runner.on(EVENT_SUITE_END, (suite) => suite.root && this.#printCurrent());
        runner.on(EVENT_RUN_END, () => {
            this.#printCurrent();
            writeFileSync(results, JSON.stringify(this.#results));
        });
    }

    #of(runnable: Mocha.Runnable, fileOfError?: string): FileResult {
        const path = runnable.file ?? fileOfError;
        const file = path === undefined ? (this.#current?.file ?? "a hook outside of all files") : relative(".", path);
        if (this.#current?.file !== file) {
            this.#printCurrent();
            this.#current = { file, passing: 0, pending: [], failures: [], seconds: 0, processorSeconds: 0 };
            this.#results.push(this.#current);
        }
        this.#current.seconds += seconds(runnable);
        return this.#current;
    }

    #printCurrent(): void {
        if (this.#current !== undefined && !this.#isQuiet) {
            console.log(describeFile(this.#current));
        }
        if (this.#current !== undefined) {
            writeFileSync(partialResults(this.#file), JSON.stringify(this.#results));
        }
        this.#current = undefined;
    }
}

/** Returns the stack with the causes: a failed property names the failed assertion only in its cause. */
function describeError(error: Error): string {
    const { stack = error.message, cause } = error;
    return cause instanceof Error ? `${stack}\nCaused by: ${describeError(cause)}` : stack;
}

function seconds({ duration = 0 }: Mocha.Runnable): number {
    return duration / 1000;
}
