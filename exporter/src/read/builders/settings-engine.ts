import { posix } from "node:path";
import type { Program } from "estree-jsx";
import { type QuickJSSyncVariant } from "quickjs-emscripten-core";
import { parseModule } from "../../text/script-parser.js";

const maxBytes = 16 * 1024 * 1024;
const maxStackBytes = 256 * 1024;
const maxMs = 1000;
const maxFiles = 50;

/** Endings that imports may leave out, or write for a file that is compiled. */
const endings = ["", ".ts", ".mts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

/**
 * Replaces everything that packages export: functions that return the object they are given, as `defineConfig` does,
 * and that have any property.
 */
const runtime = `
globalThis.process = { env: {}, cwd: () => "/", argv: [] };
globalThis.__dirname = "/";
globalThis.__filename = "/settings.js";
globalThis.require = () => __stub();
require.resolve = (path) => path;
globalThis.console = { log() {}, warn() {}, error() {}, info() {} };
globalThis.URL = class {
    constructor(path) { this.href = this.pathname = String(path); }
    toString() { return this.href; }
};
globalThis.__stub = () => new Proxy(function () {}, {
    get: (_, name) =>
        name === Symbol.iterator
            ? function* () {}
            : typeof name === "symbol" || name === "then" || name === "toJSON"
              ? undefined
              : __stub(),
    apply: (_, __, args) => args.find((arg) => /^(?:object|function)$/.test(typeof arg) && arg !== null) ?? __stub(),
    construct: () => ({}),
});`;

/**
 * Evaluates the script with the settings of another builder in isolation: without packages, files, network or clock.
 * Imports of files next to it are followed.
 * @param read a file's text; undefined if there is none
 * @param lost gets the files that are imported, but do not exist, such as generated ones, or do not parse
 * @returns the exported value as JSON would have it
 * @throws Error with the reason
 */
export async function evaluateSettings(
    file: string,
    read: (file: string) => string | undefined,
    lost: Set<string>,
): Promise<unknown> {
    const [{ newQuickJSWASMModuleFromVariant }, { default: variant }] = await Promise.all([
        import("quickjs-emscripten-core"),
        import("@jitl/quickjs-wasmfile-release-sync"),
    ]);
    const library = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
    const engine = library.newRuntime();
    const startedMs = process.cpuUsage().user / 1000;
    engine.setMemoryLimit(maxBytes);
    engine.setMaxStackSize(maxStackBytes);
    engine.setInterruptHandler(() => process.cpuUsage().user / 1000 - startedMs > maxMs);
    const modules = new SettingsModules(read, lost);
    engine.setModuleLoader(
        (name) => modules.codeOf(name),
        (from, specifier) => modules.nameOf(from, specifier),
    );
    const context = engine.newContext();
    try {
        context.unwrapResult(context.evalCode(runtime)).dispose();
        const main = `import * as all from ${JSON.stringify(`/${file}`)};
            const value = all.default ?? all.config ?? all;
            const settings = typeof value === "function" ? value({ mode: "production", command: "build" }) : value;
            const withoutFunctions = (_, each) => typeof each === "function" ? undefined : each;
            globalThis.settings = JSON.stringify(await settings, withoutFunctions);`;
        context.unwrapResult(context.evalCode(main, "main.js", { type: "module" })).dispose();
        const jobs = engine.executePendingJobs();
        if (jobs.error) {
            jobs.error.dispose();
        }
        const json = context.getProp(context.global, "settings").consume((value) => context.dump(value) as unknown);
        if (typeof json !== "string") {
            throw new Error("they need a package, a file or the network");
        }
        return JSON.parse(json);
    } finally {
        context.dispose();
        engine.dispose();
    }
}

class SettingsModules {
    /** The names that files import from packages. */
    readonly #imported = new Map<string, Set<string>>();
    #count = 0;

    constructor(
        private readonly read: (file: string) => string | undefined,
        private readonly lost: Set<string>,
    ) {}

    nameOf(from: string, specifier: string): string {
        return /^\.{1,2}\//.test(specifier) ? posix.join(posix.dirname(from), specifier) : specifier;
    }

    codeOf(name: string): string {
        if (!name.startsWith("/")) {
            return this.#stubOf(name);
        }
        const path = name.slice(1);
        const file = [...endings.map((end) => path + end), path.replace(/\.js$/, ".ts")].find(
            (each) => this.read(each) !== undefined,
        );
        if (file === undefined) {
            this.lost.add(path);
            return this.#stubOf(name);
        }
        if ((this.#count += 1) > maxFiles) {
            throw new Error(`they consist of more than ${maxFiles} files`);
        }
        const text = this.read(file) ?? "";
        if (file.endsWith(".json")) {
            const names = this.#namesIn(name).map((each) => `export const ${each} = json.${each};`);
            return `const json = ${JSON.stringify(JSON.parse(text))};\nexport default json;\n${names.join("\n")}`;
        }
        const code = withImports(withoutTypes(text)).replace(/^\s*module\.exports\s*=/m, "export default ");
        try {
            this.#remember(name, parseModule(code), code);
        } catch (error) {
            if (this.#count === 1) {
                throw error;
            }
            this.lost.add(path);
            return this.#stubOf(name);
        }
        return code;
    }

    #stubOf(name: string): string {
        const names = this.#namesIn(name).map((each) => `export const ${each} = __stub();`);
        return `export default __stub();\n${names.join("\n")}`;
    }

    /** The names that other files import from a module. */
    #namesIn(name: string): string[] {
        return [...(this.#imported.get(name) ?? [])].filter((each) => each !== "default");
    }

    #remember(from: string, program: Program, code: string): void {
        for (const node of program.body) {
            if (node.type === "ImportDeclaration") {
                const imported = this.nameOf(from, String(node.source.value));
                const names = this.#imported.get(imported) ?? new Set();
                this.#imported.set(imported, names);
                for (const each of node.specifiers) {
                    if (each.type === "ImportSpecifier" && each.imported.type === "Identifier") {
                        names.add(each.imported.name);
                    } else if (each.type === "ImportNamespaceSpecifier") {
                        const used = code.matchAll(
                            new RegExp(`\\b${each.local.name.replaceAll("$", "\\$")}\\.([a-z]\\w*)`, "gi"),
                        );
                        [...used].forEach(([, name = ""]) => names.add(name));
                    }
                }
            }
        }
    }
}

/** Turns `require("./file")` into an import. */
function withImports(code: string): string {
    const imports: string[] = [];
    const changed = code.replace(/\brequire\s*\(\s*(["'])(\.{1,2}\/[^"'\n]+)\1\s*\)/g, (_, __, path: string) => {
        const name = `__required${imports.length}`;
        imports.push(`import * as ${name} from ${JSON.stringify(path)};\n`);
        return `(${name}.default ?? ${name})`;
    });
    return imports.join("") + changed;
}

/** Removes the notations of TypeScript that settings use; a file with others does not parse, and is reported. */
function withoutTypes(code: string): string {
    return code
        .replace(/^\s*import\s+type\b[^;\n]*(?:\{[^}]*\}[^;\n]*)?;?$/gm, "")
        .replace(/\b(import\s*\{[^}]*\})/g, (list) => list.replace(/\btype\s+\w+\s*,?/g, ""))
        .replace(
            /^\s*import\b[^;"']*\bfrom\b|\s+(?:satisfies|as)\s+(?:const\b|[\w.]+(?:<[^;\n>]*>)?(?:\[\])*)(?=\s*[;,)\]}\n]|\s*$)/gm,
            (found) => (found.trimStart().startsWith("import") ? found : ""),
        )
        .replace(/\b((?:const|let|var)\s+\w+)\s*:\s*[\w.<>[\]{}|&,\s'":]+?\s*=(?!=|>)/g, "$1 =")
        .replace(/\b(function\s+\w*\s*\([^)]*\))\s*:\s*[\w.<>[\]]+\s*\{/g, "$1 {")
        .replace(
            /\(([^()]*)\)(?:\s*:\s*[\w.<>[\]|]+)?\s*=>/g,
            (_, parameters: string) => `(${withoutAnnotations(parameters)}) =>`,
        );
}

/** The parameters of an arrow function without their types. */
function withoutAnnotations(parameters: string): string {
    return parameters.includes("{")
        ? parameters.replace(/\}\s*:\s*(?:\{[^{}]*\}|[\w.<>[\]]+)/g, "}")
        : parameters.replace(/(^|,)(\s*\w+)\??\s*:\s*[\w.<>[\]|&\s'"]+(?=,|=|$)/g, "$1$2");
}
