import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { runProcess } from "../../../service/src/processes/run-process.js";
import { withFolder } from "../../sdk/support/files.js";

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

    it("fails because of the limit even if it exits with 0, as one that ignores the end of its children", async () => {
        assert.equal(await run("exit 0", "used more than 5 MB of memory"), "used more than 5 MB of memory");
    });

    it("succeeds if it exits with 0 and reached no limit", async () => {
        assert.equal(await run("exit 0", undefined), undefined);
    });
});

describe("A program with a limit for the time without progress", () => {
    const limitMs = 60_000;

    /** Runs a program that prints lines, each of which takes almost the whole limit. */
    async function run(lines: readonly string[]): Promise<string | undefined> {
        let result: string | undefined;
        await withFolder(async (folder) => {
            const script = lines.map((line, at) => `echo ${line}; until [ -e ${at} ]; do sleep 0.01; done`).join("\n");
            let printed = 0;
            mock.timers.enable({ apis: ["setTimeout"] });
            try {
                result = await runProcess({
                    command: ["/bin/sh", "-c", script],
                    cwd: folder,
                    env: { PATH: "/usr/bin:/bin" },
                    timeLimitMs: limitMs,
                    showsProgress: (chunk) => chunk.includes("progress"),
                    onOutput: () => {
                        mock.timers.tick(limitMs - 1);
                        writeFileSync(join(folder, String(printed)), "");
                        printed += 1;
                    },
                });
            } finally {
                mock.timers.reset();
            }
        });
        return result;
    }

    it("may take longer in total, as long as it makes progress", async () => {
        assert.equal(await run(["progress", "progress", "progress"]), undefined);
    });

    it("is ended when its output shows no progress for too long", async () => {
        assert.equal(await run(["progress", "waiting", "waiting"]), "made no progress for 60 s");
    });
});
