import assert from "node:assert/strict";
import { runProcess } from "../../../service/src/processes/run-process.js";

describe("A program that the kernel ends at a limit before the service looks", () => {
    const run = (script: string, excess: string | undefined) => {
        let looks = 0;
        return runProcess({
            command: ["/bin/sh", "-c", script],
            cwd: "/",
            env: { PATH: "/usr/bin:/bin" },
            timeLimitMs: 60_000,
            onOutput: () => undefined,
            // The first look is at the start.
            findExcess: () => Promise.resolve((looks += 1) > 1 ? excess : undefined),
        });
    };

    it("fails because of the limit", async () => {
        assert.equal(await run("exit 1", "used more than 5 bytes of disk"), "used more than 5 bytes of disk");
    });

    it("fails with its exit code if it reached no limit", async () => {
        assert.equal(await run("exit 3", undefined), "exited with code 3");
    });

    it("succeeds if it exits with 0", async () => {
        assert.equal(await run("exit 0", "used more than 5 bytes of disk"), undefined);
    });
});
