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

    it("rejects a program that is too old, and reports its version", async () => {
        const command = await sandbox.script("greeter", "echo v3.215.9");
        assert.deepEqual(
            await findOnPath(greeter),
            new Missing(`the one on PATH (${command}) is 3.215.9, older than 3.216.0`),
        );
    });

    it("rejects a program that does not report its version", async () => {
        const command = await sandbox.script("greeter", "echo hello");
        assert.deepEqual(
            await findOnPath(greeter),
            new Missing(`the one on PATH (${command}) does not report its version`),
        );
    });

    it("rejects a program that fails when asked for its version", async () => {
        const command = await sandbox.script("greeter", "echo v3.300.0; exit 1");
        assert.deepEqual(
            await findOnPath(greeter),
            new Missing(`the one on PATH (${command}) does not report its version`),
        );
    });

    it("reports that no program was found", async () => {
        assert.deepEqual(await findOnPath(greeter), new Missing("none is on PATH"));
    });

    it("ignores a program on PATH if the tool is always built", async () => {
        await sandbox.script("greeter", "echo v3.300.0");
        assert.deepEqual(await findOnPath({ name: "greeter" }), new Missing("none is on PATH"));
    });
});
