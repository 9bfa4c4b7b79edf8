import { createHash } from "node:crypto";
import { posix } from "node:path";
import { type HastNode } from "satteri";
import { parsePage } from "../markdown/parse-page.js";
import { isMdxFile } from "../files/routes.js";
import { Evaluator } from "./evaluator.js";
import { createGlobals } from "./globals.js";
import { runModule } from "./module-statements.js";
import { parseModule } from "./script-parser.js";
import { Closure, Content, emptyRecord, Scope, UnsupportedExpressionError, type Value } from "./value.js";

/** A file that pages import: a snippet, a script of components, or data. */
export interface Module {
    readonly file: string;
    readonly exports: ReadonlyMap<string, Value>;
    /** This file and all that it imports itself. */
    readonly files: readonly string[];
    readonly problems: readonly ModuleProblem[];
}

export interface ModuleProblem {
    readonly file: string;
    readonly line: number | undefined;
    readonly reason: string;
}

/** The files of a site that pages may import. */
export interface ImportableFiles {
    has(file: string): boolean;
    readText(file: string): string;
}

const assetPattern = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|css)$/i;
const scriptPattern = /\.(?:jsx?|tsx?|mjs)$/i;

/** Loads what pages import, each file once. Code is worked out by the evaluator and never run. */
export class ModuleLoader {
    readonly #content: ImportableFiles;
    readonly #modules = new Map<string, Module | UnsupportedExpressionError>();
    readonly #loading = new Set<string>();
    readonly #digests = new Map<string, string>();

    constructor(content: ImportableFiles) {
        this.#content = content;
    }

    /** A digest of a file's text, which tells whether a cached page's imports are unchanged. */
    digestOf(file: string): string {
        let digest = this.#digests.get(file);
        if (digest === undefined) {
            digest = createHash("sha256")
                .update(this.#content.has(file) ? this.#content.readText(file) : "")
                .digest("base64url")
                .slice(0, 22);
            this.#digests.set(file, digest);
        }
        return digest;
    }

    /** The site's file that an import names; undefined for a package. */
    resolve(specifier: string, from: string): string | undefined {
        const path = specifier.startsWith("/")
            ? specifier.slice(1)
            : /^\.{1,2}\//.test(specifier)
              ? posix.join(posix.dirname(from), specifier)
              : specifier;
        const normal = posix.normalize(path);
        const candidates = [normal, ...[".mdx", ".md", ".jsx", ".js", ".tsx", ".ts"].map((end) => normal + end)];
        return candidates.find((candidate) => !candidate.startsWith("../") && this.#content.has(candidate));
    }

    /** A file of a folder for snippets, as `<Snippet file>` names it. @throws UnsupportedExpressionError */
    loadSnippet(name: Value, from: string): Module {
        if (typeof name !== "string") {
            throw new UnsupportedExpressionError("it names no file");
        }
        const places = [`/snippets/${name}`, `/_snippets/${name}`, `/${name}`];
        return this.load(places.find((place) => this.resolve(place, from) !== undefined) ?? name, from);
    }

    /** @throws UnsupportedExpressionError */
    load(specifier: string, from: string): Module {
        const file = this.resolve(specifier, from);
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
        if (this.#loading.has(file)) {
            throw new UnsupportedExpressionError(`${file} imports itself`);
        }
        this.#loading.add(file);
        try {
            const module = this.#read(file);
            this.#modules.set(file, module);
            return module;
        } catch (error) {
            if (error instanceof UnsupportedExpressionError) {
                this.#modules.set(file, error);
            }
            throw error;
        } finally {
            this.#loading.delete(file);
        }
    }

    /** Runs the `import` and `export` lines of a page into its scope; gives the files that they lead to. */
    prepare(file: string, root: HastNode, scope: Scope, evaluator: Evaluator): PreparedPage {
        const exports = new Map<string, Value>();
        const files = new Set<string>();
        const problems: ModuleProblem[] = [];
        for (const node of "children" in root ? root.children : []) {
            if (node.type === "mdxjsEsm") {
                const firstLine = node.position?.start.line ?? 1;
                this.#run(node.value, firstLine, { file, scope, evaluator, exports, files, problems });
            }
        }
        const layout = exports.get("default");
        const isComponent = layout instanceof Content || layout instanceof Closure;
        return { exports, layout: isComponent ? layout : undefined, files: [...files], problems };
    }

    #read(file: string): Module {
        const text = assetPattern.test(file) ? "" : this.#content.readText(file);
        const evaluator = new Evaluator();
        const scope = new Scope(createGlobals());
        if (assetPattern.test(file)) {
            return { file, exports: new Map([["default", `/${file}`]]), files: [], problems: [] };
        }
        if (/\.json$/i.test(file)) {
            return { file, exports: new Map([["default", dataOf(text)]]), files: [file], problems: [] };
        }
        if (scriptPattern.test(file)) {
            const exports = new Map<string, Value>();
            const files = new Set<string>([file]);
            const problems: ModuleProblem[] = [];
            this.#run(text, 1, { file, scope, evaluator, exports, files, problems });
            return { file, exports, files: [...files], problems };
        }
        const { root, repairs } = parsePage(text, isMdxFile(file));
        const { exports, layout, files, problems } = this.prepare(file, root, scope, evaluator);
        const nodes = "children" in root ? root.children : [];
        // `export { default } from "./other.mdx"` makes the other file's content this one's.
        const content = layout instanceof Content ? layout : new Content(nodes, scope, file);
        return {
            file,
            exports: new Map([...exports, ["default", content]]),
            files: [file, ...files],
            problems: [...problems, ...repairs.map(({ line, reason }) => ({ file, line, reason }))],
        };
    }

    #run(code: string, firstLine: number, target: ModuleTarget): void {
        const { file, problems, files } = target;
        const problem = (line: number | undefined, reason: string) =>
            problems.push({ file, line: line === undefined ? undefined : line + firstLine - 1, reason });
        try {
            const program = parseModule(code);
            runModule(program, target, {
                problem,
                load: (specifier) => {
                    const module = this.load(specifier, file);
                    module.files.forEach((used) => files.add(used));
                    problems.push(...module.problems);
                    return module.exports;
                },
            });
        } catch (error) {
            if (!(error instanceof UnsupportedExpressionError)) {
                throw error;
            }
            problem(1, error.message);
        }
    }
}

export interface PreparedPage {
    readonly exports: ReadonlyMap<string, Value>;
    /** What the page exports by default: put around its content, or another page in its place. */
    readonly layout: Content | Closure | undefined;
    readonly files: readonly string[];
    readonly problems: readonly ModuleProblem[];
}

interface ModuleTarget {
    readonly file: string;
    readonly scope: Scope;
    readonly evaluator: Evaluator;
    readonly exports: Map<string, Value>;
    readonly files: Set<string>;
    readonly problems: ModuleProblem[];
}

function dataOf(text: string): Value {
    try {
        return JSON.parse(text, (_, value: unknown) =>
            typeof value === "object" && value !== null && !Array.isArray(value)
                ? Object.assign(emptyRecord(), value)
                : value,
        ) as Value;
    } catch {
        throw new UnsupportedExpressionError("it is not valid JSON");
    }
}
