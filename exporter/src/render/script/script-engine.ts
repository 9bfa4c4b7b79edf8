import { readdirSync, readFileSync } from "node:fs";
import { type Context, createContext, Script } from "node:vm";
import {
    type QuickJSContext,
    type QuickJSRuntime,
    type QuickJSSyncVariant,
    type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { packageFolder } from "../../text/package-folder.js";
import { computeInLanguage } from "./languages.js";
import { reasonOfThrown, type ThrownValue, tooMuch } from "./thrown-value.js";
import { UnsupportedExpressionError } from "../../text/script-value.js";

/** Thrown when code needs the engine before the engine is loaded. */
export class EngineNotLoadedError extends Error {
    override readonly name = "EngineNotLoadedError";
}

const maxBytes = 64 * 1024 * 1024;
/** A deep stack in the engine uses much more of the process's own stack. */
const maxStackBytes = 64 * 1024;
/** The engine checks its limits after every 10,000 calls and loop iterations. */
const maxInterrupts = 1000;
/** The limit for CPU time, which the engine's checks enforce. */
const maxMs = 1000;
/**
 * The limit for elapsed time, which also applies within built-in functions: they make no checks and can take hours.
 * The limit for elapsed time is ten times the limit for CPU time, so that no page fails because the machine is
 * busy.
 */
const maxElapsedMs = 10 * maxMs;
/** Longer pages use more components, so each 50,000 characters raise the limit by its initial value. */
const charactersOfADouble = 50_000;

const programDir = new URL("page-runtime/", packageFolder);

let library: QuickJSWASMModule | undefined;
let program: ReadonlyMap<string, string> | undefined;
/** Node.js limits the elapsed time of scripts only, so a script starts each run of the engine. */
let caller: Context | undefined;
const call = new Script("run()");

/** Renders content that may need the engine, which is loaded only if needed. */
export async function withEngine<T>(render: () => T): Promise<T> {
    try {
        return render();
    } catch (error) {
        if (!(error instanceof EngineNotLoadedError)) {
            throw error;
        }
        await loadEngine();
        return render();
    }
}

async function loadEngine(): Promise<void> {
    const [{ newQuickJSWASMModuleFromVariant }, { default: variant }] = await Promise.all([
        import("quickjs-emscripten-core"),
        import("@jitl/quickjs-wasmfile-release-sync"),
    ]);
    // The package declares the variant with the types of its CommonJS build.
    library ??= await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
    program ??= engineProgram();
}

/** The modules that run in the engine together with a page's code. */
export function engineProgram(): ReadonlyMap<string, string> {
    const files = readdirSync(programDir).sort();
    return new Map(files.map((file) => [file, readFileSync(new URL(file, programDir), "utf8")]));
}

/** Runs the code of one page in isolation: without files, network, clock or other pages. */
export class Engine {
    readonly #runtime: QuickJSRuntime;
    readonly #context: QuickJSContext;
    /** The code of all runs by number, to find the source of an error. */
    readonly #sources: string[] = [];
    #interrupts = 0;
    #spentMs = 0;
    #runStartedMs: number | undefined;
    /** Whether the engine was stopped during a run, and can no longer be used. */
    #isStopped = false;

    /**
     * @param pageLength the number of characters of the page's source
     * @param expandContent the code of a part of the page's content
     * @param elapsedMs the limit for one run
     * @throws EngineNotLoadedError
     */
    constructor(
        pageLength: number,
        expandContent: (number: number) => string,
        private readonly elapsedMs = maxElapsedMs,
    ) {
        if (library === undefined || program === undefined) {
            throw new EngineNotLoadedError();
        }
        const factor = 1 + pageLength / charactersOfADouble;
        this.#runtime = library.newRuntime();
        this.#runtime.setMemoryLimit(maxBytes);
        this.#runtime.setMaxStackSize(maxStackBytes);
        this.#context = this.#runtime.newContext();
        const expand = this.#context.newFunction("expandContent", (number) => {
            const result = this.#context.evalCode(expandContent(this.#context.getNumber(number)));
            return result.error ? { error: result.error } : result.value;
        });
        this.#context.setProp(this.#context.global, "expandContent", expand);
        expand.dispose();
        const compute = this.#context.newFunction("computeInLanguage", (request) =>
            this.#context.newString(computeInLanguage(this.#context.getString(request))),
        );
        this.#context.setProp(this.#context.global, "computeInLanguage", compute);
        compute.dispose();
        const modules = program;
        this.#runtime.setModuleLoader((name) => modules.get(name) ?? { error: new Error(`there is no ${name}`) });
        this.#context
            .unwrapResult(this.#context.evalCode('import "./page.js"', "main.js", { type: "module" }))
            .dispose();
        this.#runtime.removeModuleLoader();
        this.#runtime.setInterruptHandler(() => {
            this.#interrupts += 1;
            const ms = this.#spentMs + processorMs() - (this.#runStartedMs ?? 0);
            return this.#interrupts > maxInterrupts * factor || ms > maxMs * factor;
        });
    }

    /** @returns the code's value as text @throws UnsupportedExpressionError */
    run(code: string): string {
        if (this.#isStopped) {
            throw new UnsupportedExpressionError(tooMuch);
        }
        const number = this.#sources.push(code) - 1;
        const result = this.#limited(() => this.#context.evalCode(code, `page${number}`));
        if (result.error) {
            const thrown = result.error.consume((error) => this.#context.dump(error) as ThrownValue);
            throw new UnsupportedExpressionError(this.reasonOf(thrown));
        }
        return result.value.consume((value) => this.#context.getString(value));
    }

    /** Counts and limits the time of a run, which includes the runs for the content that it expands. */
    #limited<T>(run: () => T): T {
        if (this.#runStartedMs !== undefined) {
            return run();
        }
        this.#runStartedMs = processorMs();
        try {
            caller ??= createContext({});
            caller["run"] = run;
            return call.runInContext(caller, { timeout: this.elapsedMs }) as T;
        } catch (error) {
            // The time ran out, or the process's own stack overflowed during a run of the engine.
            this.#isStopped = true;
            library = undefined;
            throw isTimeout(error) ? new UnsupportedExpressionError(tooMuch) : error;
        } finally {
            this.#spentMs += processorMs() - this.#runStartedMs;
            this.#runStartedMs = undefined;
        }
    }

    reasonOf(thrown: ThrownValue): string {
        return reasonOfThrown(thrown, this.#sources);
    }

    dispose(): void {
        if (!this.#isStopped) {
            this.#context.dispose();
            this.#runtime.dispose();
        }
    }
}

function isTimeout(error: unknown): boolean {
    return (error as NodeJS.ErrnoException | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** The CPU time of this thread; Node.js 22 reports only that of the whole process. */
function processorMs(): number {
    const { user } = process.threadCpuUsage?.() ?? process.cpuUsage();
    return user / 1000;
}
