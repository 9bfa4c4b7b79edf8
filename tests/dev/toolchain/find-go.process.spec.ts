import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { findGo } from "../../../dev/toolchain/src/ways/go-build.js";
import { httpRouteDefinition } from "../../e2e/kubernetes/support/gateway-api.js";
import { runScript, Sandbox } from "./support.js";

const schemaExamples = fileURLToPath(new URL("../../../dev/schema-examples/write.ts", import.meta.url));

describe("findGo", () => {
    const sandbox = Sandbox.use();
    const advice = /Go is not installed\. Install Go 1\.26 or later, then run this again\./;

    it("returns the program on PATH", async () => {
        const go = await sandbox.script("go", "exit 0");
        assert.equal(await findGo("the examples"), go);
    });

    for (const [caller, call] of Object.entries({
        "the definitions of Kubernetes": httpRouteDefinition,
        "the examples of the plugin's schema": () => runScript(schemaExamples),
    })) {
        it(`lets ${caller} say what to install when Go is missing`, async () => {
            await assert.rejects(call(), advice);
        });
    }
});
