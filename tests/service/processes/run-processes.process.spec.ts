import assert from "node:assert/strict";
import { once } from "node:events";
import { RunProcesses } from "../../../service/src/processes/kill-processes.js";
import { ProcessMark } from "../../../service/src/processes/process-mark.js";
import { startMarked } from "./support/left-run.js";

describe("The processes of a run", () => {
    before(function () {
        // Other systems do not show the marks of processes.
        if (process.platform !== "linux") {
            this.skip();
        }
    });

    it("do not include those of another run of the same job, which another worker with this folder began", async () => {
        const [place, stale, other] = ["/data/builds", "/data/builds/se_1-a1b2c3", "/data/builds/se_1-d4e5f6"] as const;
        const [own, others] = await Promise.all([startMarked(place, stale), startMarked(place, other)]);
        const ended = once(own, "exit");
        try {
            await new RunProcesses({ mark: ProcessMark.ofRun(place, stale) }).killAll();
            await ended;
            assert.equal(own.signalCode, "SIGKILL");
            assert.ok(await ProcessMark.ofRun(place, other).isOn(others.pid ?? 0));
            assert.equal(others.signalCode, null);
        } finally {
            [own, others].forEach((child) => child.kill("SIGKILL"));
        }
    });
});
