import assert from "node:assert/strict";
import { findOnPath } from "../../../dev/toolchain/src/ways/on-path.js";
import { Missing } from "../../../dev/toolchain/src/ways/ways.js";
import { Sandbox } from "./support.js";

const greeter = { name: "greeter", onPath: { versionArguments: ["version"], minimumVersion: "3.216.0" } };

describe("findOnPath", () => {
    const sandbox = Sandbox.use();

    for (const [printed, version] of [
        ["v3.216.0", "3.216.0"],
        ["3.300.1", "3.300.1"],
        ["v4.0.0+g1234567", "4.0.0"],
        ["v3.216.0-alpha.1", "3.216.0-alpha.1"],
    ] as const) {
        it(`accepts a program that prints ${printed}`, async () => {
            const command = await sandbox.script("greeter", `test "$1" = version && echo ${printed}`);
            assert.deepEqual(await findOnPath(greeter), { command, version });
        });
    }

    for (const [what, body, reason] of [
        ["is too old", "echo v3.215.9", "is 3.215.9, older than 3.216.0"],
        ["does not report its version", "echo hello", "does not report its version"],
        ["fails when asked for its version", "echo v3.300.0; exit 1", "does not report its version"],
    ] as const) {
        it(`rejects a program that ${what}, with the reason`, async () => {
            const command = await sandbox.script("greeter", body);
            assert.deepEqual(await findOnPath(greeter), new Missing(`the one on PATH (${command}) ${reason}`));
        });
    }

    it("reports that no program was found", async () => {
        assert.deepEqual(await findOnPath(greeter), new Missing("none is on PATH"));
    });

    it("ignores a program on PATH if the tool is always built", async () => {
        await sandbox.script("greeter", "echo v3.300.0");
        assert.deepEqual(await findOnPath({ name: "greeter" }), new Missing("none is on PATH"));
    });
});
