// Pulumi's SDK loads npm's dependency resolver, needed for remote automation only, and TypeScript in each program and in
// each dynamic provider. That takes half of the processor time of their start, in hundreds of runs.
const Module = require("node:module");

const late = ["@npmcli/arborist", "typescript"];
const load = Module._load;

Module._load = function (request, ...rest) {
    if (!late.includes(request)) {
        return load.call(this, request, ...rest);
    }
    // Loaded when a property is first used. The target has what TypeScript's helpers for imports ask of each module.
    return new Proxy(
        { __esModule: true },
        { get: (target, name) => (name in target ? target[name] : load.call(Module, request, ...rest)[name]) },
    );
};
