// Pulumi's SDK loads npm's dependency resolver in each program and in each dynamic provider, and needs it for remote
// automation only. That takes a quarter of a run's processor time, in hundreds of runs.
const Module = require("node:module");

const name = "@npmcli/arborist";
const load = Module._load;

Module._load = function (request, ...rest) {
    if (request !== name) {
        return load.call(this, request, ...rest);
    }
    return {
        __esModule: true,
        get Arborist() {
            return load.call(Module, name, ...rest).Arborist;
        },
    };
};
