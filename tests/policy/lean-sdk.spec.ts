import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const policyFolder = fileURLToPath(new URL("../../policy/", import.meta.url));

/** Runs a script in a separate process, in the folder of the pack. */
function run(script: string): unknown {
    const source = `${script}\nconsole.log(JSON.stringify(result));`;
    return JSON.parse(execFileSync(process.execPath, ["-e", source], { cwd: policyFolder, encoding: "utf8" }));
}

const pack = 'require("./dist/lean-sdk.js"); require("@pulumi/policy"); require("./dist/policies/index.js");';
const loaded = "Object.keys(require.cache).filter((file) => /@pulumi.pulumi/.test(file))";

describe("The parts of Pulumi's SDK that the pack loads", function () {
    this.timeout(120_000);

    it("leaves out what makes it slow: the Automation API, the serialisation of functions, the compiler, resources", () => {
        const files = run(`${pack} const result = ${loaded};`) as string[];
        assert.ok(files.some((file) => /analyzer_grpc_pb/.test(file)));
        assert.deepEqual(
            files.filter((file) => /[\\/](automation|closure|typescript|vendor|resource\.js|settings\.js)/.test(file)),
            [],
        );
    });

    it("is an asset and an output as @pulumi/policy needs them, of the one SDK that is there", () => {
        const script = `${pack} const { asset, Output } = require("@pulumi/pulumi");
            const result = [
                new asset.FileAsset("a") instanceof require("@pulumi/pulumi/asset").FileAsset,
                Output === require("@pulumi/pulumi/output").Output,
            ];`;
        assert.deepEqual(run(script), [true, true]);
    });

    it("knows the marks of secrets and assets as the SDK does", () => {
        const script = `const names = ["specialSigKey", "specialSecretSig", "specialAssetSig", "specialArchiveSig"];
            const whole = require("@pulumi/pulumi/runtime/rpc");
            const expected = names.map((name) => whole[name]);
            delete require.cache[require.resolve("@pulumi/pulumi")];
            delete require.cache[require.resolve("@pulumi/pulumi/runtime/rpc")];
            ${pack} const lean = require("@pulumi/pulumi/runtime/rpc");
            const result = [lean !== whole, ...names.map((name, index) => lean[name] === expected[index])];`;
        assert.deepEqual(run(script), [true, true, true, true, true]);
    });

    it("is the whole where another part is asked for, and once", () => {
        const script = `${pack} const lean = require("@pulumi/pulumi");
            const result = [typeof lean.Config, lean.Config === lean.Config, lean.Config === require("@pulumi/pulumi").Config];`;
        assert.deepEqual(run(script), ["function", true, true]);
    });

    it("is complete where an output or an asset was asked for first", () => {
        const script = `${pack} const { Output, asset } = require("@pulumi/pulumi");
            const { runtime } = require("@pulumi/pulumi");
            delete require.cache[require.resolve("@pulumi/pulumi")];
            const whole = require("@pulumi/pulumi");
            const result = [typeof runtime.serializeProperties, whole.runtime === runtime, whole.Output === Output];`;
        assert.deepEqual(run(script), ["function", true, true]);
    });

    it("stays what it is where it has been loaded before", () => {
        const script = `const whole = require("@pulumi/pulumi"); ${pack} const result = require("@pulumi/pulumi") === whole;`;
        assert.equal(run(script), true);
    });
});
