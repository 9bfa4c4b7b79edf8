import { type HastNode } from "satteri";
import { type ModuleFiles, type ScriptPart, scriptParts } from "./module-files.js";
import { runModule } from "./module-statements.js";
import { type PageScript } from "../script/page-script.js";
import { Content, EngineValue, Scope, UnsupportedExpressionError, type Value } from "../script/value.js";

/** What a page sees of a file that it imports: a snippet, a script of components, or data. */
export interface Module {
    readonly exports: ReadonlyMap<string, Value>;
    /** This file and all that it imports itself. */
    readonly files: readonly string[];
}

export interface ModuleProblem {
    readonly file: string;
    readonly line: number | undefined;
    readonly reason: string;
}

export interface PreparedPage {
    /** The page's default export: a layout around its content, or another page that replaces it. */
    readonly layout: Content | EngineValue | undefined;
    readonly files: readonly string[];
}

/** What one page imports, each file once. */
export class PageModules {
    readonly #files: ModuleFiles;
    readonly #modules = new Map<string, Module | UnsupportedExpressionError>();

    constructor(
        files: ModuleFiles,
        private readonly script: PageScript,
        private readonly report: (problem: ModuleProblem) => void,
    ) {
        this.#files = files;
    }

    /** Runs the `import` and `export` lines of the page itself. */
    prepare(file: string, root: HastNode, scope: Scope): PreparedPage {
        const { exports, files } = this.#run(scriptParts(root), file, scope);
        const layout = exports.get("default");
        const isComponent = layout instanceof Content || layout instanceof EngineValue;
        return { layout: isComponent ? layout : undefined, files };
    }

    /** A file of a folder for snippets, as `<Snippet file>` names it. @throws UnsupportedExpressionError */
    loadSnippet(name: Value, from: string): Module {
        if (typeof name !== "string") {
            throw new UnsupportedExpressionError("it names no file");
        }
        const places = [`/snippets/${name}`, `/_snippets/${name}`, `/${name}`];
        return this.load(places.find((place) => this.#files.resolve(place, from) !== undefined) ?? name, from);
    }

    /** @throws UnsupportedExpressionError */
    load(specifier: string, from: string): Module {
        const file = this.#files.resolve(specifier, from);
        if (file === undefined) {
            throw new UnsupportedExpressionError(`the site has no file ${specifier}`);
        }
        const known = this.#modules.get(file);
        if (known instanceof UnsupportedExpressionError) {
            throw known;
        }
        if (known !== undefined) {
            return known;
        }
        this.#modules.set(file, new UnsupportedExpressionError(`${file} imports itself`)); // As long as it is loading.
        try {
            const module = this.#module(file);
            this.#modules.set(file, module);
            return module;
        } catch (error) {
            if (error instanceof UnsupportedExpressionError) {
                this.#modules.set(file, error);
            }
            throw error;
        }
    }

    #module(file: string): Module {
        const parsed = this.#files.read(file);
        if (parsed.kind === "value") {
            return { exports: new Map([["default", parsed.value]]), files: [file] };
        }
        const scope = new Scope();
        const { exports, files } = this.#run(parsed.parts, file, scope);
        if (parsed.kind === "script") {
            return { exports, files: [file, ...files] };
        }
        parsed.repairs.forEach(({ line, reason }) => this.report({ file, line, reason }));
        const layout = exports.get("default");
        // `export { default } from "./other.mdx"` makes the other file's content this one's.
        const content = layout instanceof Content ? layout : new Content(parsed.nodes, scope, file, true);
        return { exports: new Map([...exports, ["default", content]]), files: [file, ...files] };
    }

    #run(
        parts: readonly ScriptPart[],
        file: string,
        scope: Scope,
    ): { exports: Map<string, Value>; files: readonly string[] } {
        const exports = new Map<string, Value>();
        const files = new Set<string>();
        const load = (specifier: string) => {
            const module = this.load(specifier, file);
            module.files.forEach((used) => files.add(used));
            return module.exports;
        };
        for (const { code, firstLine, program, problem } of parts) {
            const report = (line: number | undefined, reason: string) =>
                this.report({ file, line: line === undefined ? undefined : line + firstLine - 1, reason });
            if (program === undefined) {
                report(1, problem ?? "it does not parse");
                continue;
            }
            runModule(program, code, { scope, script: this.script, exports, load, problem: report });
        }
        return { exports, files: [...files] };
    }
}
