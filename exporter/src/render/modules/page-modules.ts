import { type HastNode } from "satteri";
import { type ModuleFiles, type ScriptPart, scriptParts } from "./module-files.js";
import { runModule } from "./module-statements.js";
import { type PageScript } from "../script/page-script.js";
import { Content, EngineValue, Scope, UnsupportedExpressionError, type Value } from "../../text/script-value.js";

/** A page's view of an imported file: a snippet, a script of components, or data. */
type Exports = ReadonlyMap<string, Value>;

interface ModuleProblem {
    readonly file: string;
    readonly line: number | undefined;
    readonly reason: string;
}

const exportedName = /^export\s+(?:(?:const|let|var|class|(?:async\s+)?function)\s+)?([\w$]+)/gm;

/** The imports of one page; each file is loaded once. */
export class PageModules {
    readonly #exports = new Map<string, Exports | UnsupportedExpressionError>();

    constructor(
        private readonly sources: ModuleFiles,
        private readonly script: PageScript,
        private readonly report: (problem: ModuleProblem) => void,
    ) {}

    /** All files that the page and its imports name, including missing ones. */
    get files(): readonly string[] {
        return [...this.#exports.keys()];
    }

    /**
     * Runs the `import` and `export` lines of the page itself.
     *
     * @returns its default export: a layout around its content, or another page that replaces it
     */
    prepare(file: string, root: HastNode, scope: Scope): Content | EngineValue | undefined {
        const layout = this.#run(scriptParts(root), file, scope).get("default");
        return layout instanceof Content || layout instanceof EngineValue ? layout : undefined;
    }

    /** The content of a file from a snippets folder, for `<Snippet file>`. @throws UnsupportedExpressionError */
    loadSnippet(name: Value, from: string): Value {
        if (typeof name !== "string") {
            throw new UnsupportedExpressionError("it names no file");
        }
        return this.#load([`/snippets/${name}`, `/_snippets/${name}`, `/${name}`, name], from).get("default");
    }

    /** @param specifiers names of files; the first that exists counts */
    #load(specifiers: readonly string[], from: string): Exports {
        const file = this.#find(specifiers, from);
        const known = this.#exports.get(file);
        if (known instanceof UnsupportedExpressionError) {
            throw known;
        }
        if (known !== undefined) {
            return known;
        }
        this.#exports.set(file, new UnsupportedExpressionError(`${file} imports itself`)); // While it is loading.
        try {
            const exports = this.#exportsOf(file);
            this.#exports.set(file, exports);
            return exports;
        } catch (error) {
            if (error instanceof UnsupportedExpressionError) {
                this.#exports.set(file, error);
            }
            throw error;
        }
    }

    #find(specifiers: readonly string[], from: string): string {
        const places = specifiers.flatMap((specifier) => this.sources.placesOf(specifier, from));
        const file = places.find((place) => this.sources.has(place));
        if (file === undefined) {
            const error = new UnsupportedExpressionError(`the site has no file ${specifiers.at(-1)}`);
            // Records every possible path, because the page must be rendered again if a file is created at one of the
            // paths.
            places.forEach((place) => this.#exports.set(place, error));
            throw error;
        }
        return file;
    }

    #exportsOf(file: string): Exports {
        const source = this.sources.read(file);
        if (source.kind === "value") {
            return new Map([["default", source.value]]);
        }
        const scope = new Scope();
        const exports = this.#run(source.parts, file, scope);
        if (source.kind === "content") {
            source.repairs.forEach(({ line, reason }) => this.report({ file, line, reason }));
            // `export { default } from "./other.mdx"` re-exports the other file's content.
            if (!(exports.get("default") instanceof Content)) {
                exports.set("default", new Content(source.nodes, scope, file, true));
            }
        }
        return exports;
    }

    #run(parts: readonly ScriptPart[], file: string, scope: Scope): Map<string, Value> {
        const exports = new Map<string, Value>();
        const load = (specifier: string) => this.#load([specifier], file);
        for (const { code, firstLine, program, problem } of parts) {
            const report = (line: number | undefined, reason: string) =>
                this.report({ file, line: line === undefined ? undefined : line + firstLine - 1, reason });
            if (program === undefined) {
                report(1, problem ?? "it does not parse");
                for (const [, name = ""] of code.matchAll(exportedName)) {
                    exports.set(name, undefined);
                }
            } else {
                runModule(program, code, { scope, script: this.script, exports, load, problem: report });
            }
        }
        return exports;
    }
}
