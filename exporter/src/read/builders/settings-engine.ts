import { builtinModules } from "node:module";
import { type QuickJSSyncVariant } from "quickjs-emscripten-core";
import { asRecord } from "../../text/json-values.js";
import { SettingsModules } from "./settings-modules.js";

const maxBytes = 16 * 1024 * 1024;
const maxStackBytes = 256 * 1024;
const maxMs = 1000;
/** The settings as JSON. */
const maxCharacters = 2 * 1024 * 1024;
const maxDepth = 64;

/** Modules of Node.js that only compute, without files, processes or the network, so replacing them loses no data. */
const harmless = ["assert", "buffer", "events", "module", "os", "path", "process", "url", "util"];

/** Packages that read files or the network. */
const readers = [
    "fast-glob",
    "globby",
    "tinyglobby",
    "glob",
    "gray-matter",
    "fs-extra",
    "simple-git",
    "execa",
    "ofetch",
];

const isHarmless = (name: string) => harmless.includes(name.split("/", 1)[0] as string);
const missed = ["fetch", ...readers, ...builtinModules.filter((name) => !isHarmless(name))];

/**
 * Replaces everything that packages export with functions that return their argument, as `defineConfig` does, and on
 * which code can read any property. Functions that read files or the network return a placeholder instead. Results can
 * be awaited, and spread into a list, as plugins are.
 */
const runtime = `
const builtins = new Set(${JSON.stringify(builtinModules)});
const missed = new Set(${JSON.stringify(missed)});
const needed = new Set();
const nothing = function* () {};
const isObject = (value) => typeof value === "object" && value !== null;
const fixed = { [Symbol.iterator]: nothing, [Symbol.toPrimitive]: () => "", length: 0, toJSON: undefined };
globalThis.__stub = (specifier, depth = 0, isResult = false) => {
    const name = specifier.replace(/^node:/, "");
    const all = name === "path" && depth === 0 ? pathFunctions : fixed;
    return new Proxy(function () {}, {
        get: (_, key) => {
            if (key === "then") {
                return isResult ? (...args) => Promise.resolve(__stub(name, depth)).then(...args) : undefined;
            }
            return key in all ? all[key] : key in fixed || typeof key === "symbol" ? fixed[key] : __stub(name, depth + 1);
        },
        apply: (_, __, args) => {
            if (missed.has(name)) {
                needed.add(builtins.has(name) ? "node:" + name : name);
            } else if (!builtins.has(name)) {
                const given = args.find((arg) => isObject(arg) || (typeof arg === "function" && depth < 2));
                if (given !== undefined) {
                    return withIterator(given);
                }
            }
            return __stub(name, depth + 1, true);
        },
        construct: () => __stub(name, depth + 1),
    });
};
const withIterator = (value) =>
    isObject(value) && !(Symbol.iterator in value) && Object.isExtensible(value)
        ? Object.defineProperty(value, Symbol.iterator, { value: nothing })
        : value;
const join = (...parts) =>
    "/" + parts.join("/").split("/").reduce((all, part) =>
        part === ".." ? all.slice(0, -1) : part === "" || part === "." ? all : [...all, part], []).join("/");
const basename = (path, end = "") => String(path).split("/").pop().replace(end, "");
const pathFunctions = Object.assign(Object.create(null), {
    join,
    resolve: join,
    basename,
    dirname: (path) => join(path, ".."),
    extname: (path) => /\\.[^.]*$/.exec(basename(path))?.[0] ?? "",
});
const requireOf = (modules) =>
    Object.assign((name) => (name in modules ? (modules[name].default ?? modules[name]) : __stub(name)), {
        resolve: (path) => path,
    });
globalThis.__requireOf = requireOf;
globalThis.require = requireOf({});
globalThis.process = { env: { NODE_ENV: "production" }, cwd: () => "/", argv: [], versions: {}, platform: "linux" };
globalThis.__meta = {
    url: "file:///settings.js",
    dirname: "/",
    filename: "/settings.js",
    env: { MODE: "production", PROD: true, DEV: false },
    // In Vite, import.meta.glob finds the files that match a pattern.
    glob: () => {
        needed.add("import.meta.glob");
        return {};
    },
};
globalThis.__dirname = "/";
globalThis.__filename = "/settings.js";
globalThis.setTimeout = globalThis.setInterval = globalThis.clearTimeout = globalThis.clearInterval = () => 0;
globalThis.console = { log() {}, warn() {}, error() {}, info() {}, debug() {}, table() {} };
globalThis.URL = class {
    constructor(path) { this.href = this.pathname = String(path); }
    toString() { return this.href; }
};
for (const name of ["fetch", ...builtins]) {
    globalThis[name] ??= __stub(name);
}`;

/**
 * Puts the settings or the reason for a failure into global variables, so that no promise handle has to be released.
 */
const evaluation = (file: string) => `
const withoutFunctions = (_, each) => (typeof each === "function" ? undefined : each);
import(${JSON.stringify(`file:${file}`)}).then(async (all) => {
    const value = await (all.default ?? all.config ?? all);
    const settings = typeof value === "function" ? value({ mode: "production", command: "build" }) : value;
    globalThis.settings = JSON.stringify({ value: await settings, needed: [...needed] }, withoutFunctions);
}).catch((error) => { globalThis.failure = String(error?.message ?? error); });`;

/** The files and modules that the settings import but that are not available. */
export interface LostParts {
    /**
     * Imported files that are missing (for example because a build generates them), are outside of the folder, or do
     * not parse.
     */
    readonly files: Set<string>;
    /** Modules that would read files or the network. */
    readonly modules: Set<string>;
}

/**
 * Evaluates another builder's settings script in isolation: without packages, files and network. Follows the script's
 * imports of other files.
 * @param read a file's text; undefined if it does not exist
 * @returns the exported value as JSON
 * @throws Error with the reason
 */
export async function evaluateSettings(
    file: string,
    read: (file: string) => string | undefined,
    lost: LostParts,
): Promise<unknown> {
    const modules = new SettingsModules(file, read);
    modules.lost.forEach((each) => lost.files.add(each));
    const [{ newQuickJSWASMModuleFromVariant }, { default: variant }] = await Promise.all([
        import("quickjs-emscripten-core"),
        import("@jitl/quickjs-wasmfile-release-sync"),
    ]);
    // Each evaluation creates a new engine, and never closes it: closing an engine fails after some errors, and its
    // memory is freed when nothing refers to it.
    const library = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
    const engine = library.newRuntime();
    engine.setMemoryLimit(maxBytes);
    engine.setMaxStackSize(maxStackBytes);
    engine.setModuleLoader(
        (name) => modules.codeOf(name),
        (from, specifier) => modules.nameOf(from, specifier),
    );
    const startedMs = process.cpuUsage().user / 1000;
    let isStopped = false;
    engine.setInterruptHandler(() => (isStopped ||= process.cpuUsage().user / 1000 - startedMs > maxMs));
    const context = engine.newContext();
    const stopped = [runtime, evaluation(file)].some((code) => context.evalCode(code).error !== undefined);
    const error = stopped ? undefined : engine.executePendingJobs().error;
    const reason = error === undefined ? undefined : asRecord(error.context.dump(error))["message"];
    const [json, failure = reason] = ["settings", "failure"].map(
        (name) => context.dump(context.getProp(context.global, name)) as unknown,
    );
    if (typeof json !== "string") {
        throw new Error(
            isStopped ? `they take more than ${maxMs / 1000} s of processor time` : describeFailure(failure),
        );
    }
    if (json.length > maxCharacters) {
        throw new Error(`their value has more than ${maxCharacters / 1024 / 1024} MiB`);
    }
    const { value, needed } = JSON.parse(json) as { readonly value: unknown; readonly needed: readonly string[] };
    if (isDeeper(value, maxDepth)) {
        throw new Error(`their value is nested deeper than ${maxDepth} levels`);
    }
    needed.forEach((each) => lost.modules.add(each));
    return value;
}

function describeFailure(reason: unknown): string {
    switch (reason) {
        case undefined:
            return "they wait for something that never happens";
        case "out of memory":
        case "null":
            return `they need more than ${maxBytes / 1024 / 1024} MiB of memory`;
        default:
            return String(reason);
    }
}

function isDeeper(value: unknown, levels: number): boolean {
    return (
        typeof value === "object" &&
        value !== null &&
        (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))
    );
}
