// In hundreds of runs, compiling Pulumi's SDK and TypeScript takes a third of the processor time of each program and of
// each dynamic provider. Node.js 22 can cache V8's compiled code (NODE_COMPILE_CACHE); this file does the same on
// Node.js 20, but only for installed packages.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join, sep } = require("node:path");
const { constants, Script } = require("node:vm");

// Only packages of this checkout are cached, because packages that npx runs do not work with the cache.
const packages = join(__dirname, "../../../node_modules", sep);
const folder = join(packages, ".cache/compiled", process.version);
const [start, end] = Module.wrapper;
const compile = Module.prototype._compile;

/** Scripts without a usable cache, with the cache files to write for them. */
const compiled = new Map();

Module.prototype._compile = function (content, filename) {
    if (!filename.startsWith(packages) || content.startsWith("#!")) {
        return compile.call(this, content, filename);
    }
    const { size, mtimeMs } = statSync(filename);
    const key = createHash("sha1").update(`${filename} ${size} ${mtimeMs}`).digest("hex");
    const cache = join(folder, key);
    const cachedData = read(cache);
    const script = new Script(`${start}${content}${end}`, {
        filename,
        cachedData,
        // With this offset, positions in errors match the file.
        columnOffset: -start.length,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (cachedData === undefined || script.cachedDataRejected) {
        compiled.set(cache, script);
    }
    const require = Object.assign((id) => this.require(id), {
        resolve: Object.assign((id, options) => Module._resolveFilename(id, this, false, options), {
            paths: (id) => Module._resolveLookupPaths(id, this),
        }),
        main: process.mainModule,
        extensions: Module._extensions,
        cache: Module._cache,
    });
    return script.runInThisContext().call(this.exports, this.exports, require, this, filename, dirname(filename));
};

function read(file) {
    try {
        return readFileSync(file);
    } catch {
        return undefined;
    }
}

/**
 * Stores the compiled code after a delay, to include functions that are compiled at their first call. Providers do not
 * exit by themselves: the engine kills them.
 */
function store() {
    mkdirSync(folder, { recursive: true });
    for (const [file, script] of compiled) {
        const temporary = `${file}.${process.pid}`;
        writeFileSync(temporary, script.createCachedData());
        renameSync(temporary, file);
    }
    compiled.clear();
}

setTimeout(store, 1000).unref();
process.once("exit", store);
