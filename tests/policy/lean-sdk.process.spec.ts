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

describe("The parts of Pulumi's SDK that the policy pack loads", function () {
    this.timeout(120_000);

    it("exclude the Automation API, function serialisation, the compiler and resources", () => {
        const files = run(`${pack} const result = ${loaded};`) as string[];
        assert.ok(files.some((file) => /analyzer_grpc_pb/.test(file)));
        assert.deepEqual(
            files.filter((file) => /[\\/](automation|closure|typescript|vendor|resource\.js|settings\.js)/.test(file)),
            [],
        );
    });

    it("provide the asset and output classes that @pulumi/policy needs, from a single SDK", () => {
        const script = `${pack} const { asset, Output } = require("@pulumi/pulumi");
            const result = [
                new asset.FileAsset("a") instanceof require("@pulumi/pulumi/asset").FileAsset,
                Output === require("@pulumi/pulumi/output").Output,
            ];`;
        assert.deepEqual(run(script), [true, true]);
    });

    it("use the SDK's own marks for secrets and assets", () => {
        const script = `const names = ["specialSigKey", "specialSecretSig", "specialAssetSig", "specialArchiveSig"];
            const whole = require("@pulumi/pulumi/runtime/rpc");
            const expected = names.map((name) => whole[name]);
            delete require.cache[require.resolve("@pulumi/pulumi")];
            delete require.cache[require.resolve("@pulumi/pulumi/runtime/rpc")];
            ${pack} const lean = require("@pulumi/pulumi/runtime/rpc");
            const result = [lean !== whole, ...names.map((name, index) => lean[name] === expected[index])];`;
        assert.deepEqual(run(script), [true, true, true, true, true]);
    });

    it("are replaced by a single copy of the whole SDK if another part is requested", () => {
        const script = `${pack} const lean = require("@pulumi/pulumi");
            const result = [typeof lean.Config, lean.Config === lean.Config, lean.Config === require("@pulumi/pulumi").Config];`;
        assert.deepEqual(run(script), ["function", true, true]);
    });

    it("still provide the whole SDK if an output or an asset was requested first", () => {
        const script = `${pack} const { Output, asset } = require("@pulumi/pulumi");
            const { runtime } = require("@pulumi/pulumi");
            delete require.cache[require.resolve("@pulumi/pulumi")];
            const whole = require("@pulumi/pulumi");
            const result = [typeof runtime.serializeProperties, whole.runtime === runtime, whole.Output === Output];`;
        assert.deepEqual(run(script), ["function", true, true]);
    });

    it("are unchanged if the SDK was already loaded", () => {
        const script = `const whole = require("@pulumi/pulumi"); ${pack} const result = require("@pulumi/pulumi") === whole;`;
        assert.equal(run(script), true);
    });
});
