// In each program and each dynamic provider, Pulumi's SDK loads TypeScript, npm's dependency resolver and the packages
// of the automation API, although few programs need the resolver and the API. In hundreds of runs, loading these
// modules takes half of the CPU time of each start.
const Module = require("node:module");

const late = ["@npmcli/arborist", "execa", "normalize-package-data", "typescript"];
const load = Module._load;

Module._load = function (request, ...rest) {
    if (!late.includes(request)) {
        return load.call(this, request, ...rest);
    }
    // A module is loaded when one of its properties is first used. The target contains the properties that TypeScript's
    // import helpers read from each module.
    return new Proxy(
        { __esModule: true },
        {
            get: (target, name) => {
                if (name in target) {
                    return target[name];
                }
                const loaded = load.call(Module, request, ...rest);
                return name === "default" ? (loaded.default ?? loaded) : loaded[name];
            },
        },
    );
};

// The engine kills providers, so the code that they have compiled is stored while they run.
setTimeout(Module.flushCompileCache, 1000).unref();
