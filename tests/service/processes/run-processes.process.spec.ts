import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { RunProcesses } from "../../../service/src/processes/kill-processes.js";
import { ProcessMark } from "../../../service/src/processes/process-mark.js";

/** Starts a process that runs until it is killed, and waits until it has its mark. */
async function start(mark: ProcessMark): Promise<ChildProcess> {
    const [program, ...args] = mark.wrap(["/bin/sh", "-c", "echo started; exec sleep 600"]);
    const child = spawn(program, args, { env: { PATH: "/usr/bin:/bin", ...mark.env }, detached: true });
    await once(child.stdout, "data");
    return child;
}

describe("The processes of a run", () => {
    before(function () {
        // Other systems do not show the marks of processes.
        if (process.platform !== "linux") {
            this.skip();
        }
    });

    it("do not include those of another run of the same job, which another worker with this folder began", async () => {
        const marks = ProcessMark.ofRuns("/data/builds");
        const [stale, other] = ["/data/builds/se_1-a1b2c3", "/data/builds/se_1-d4e5f6"].map((folder) =>
            marks.ofRun(folder),
        );
        assert.ok(stale && other);
        const own = await start(stale);
        const others = await start(other);
        const ended = once(own, "exit");
        try {
            await new RunProcesses({ mark: stale }).killAll();
            await ended;
            assert.equal(own.signalCode, "SIGKILL");
            assert.ok(await other.isOn(others.pid ?? 0));
            assert.equal(others.signalCode, null);
        } finally {
            [own, others].forEach((child) => child.kill("SIGKILL"));
        }
    });

    it("include those of all runs that an earlier service with the same folder left", async () => {
        const marks = ProcessMark.ofRuns("/data/agent");
        const left = await start(marks.ofRun("/data/agent/work/aj_1-a1b2c3"));
        const ended = once(left, "exit");
        await new RunProcesses({ mark: marks }).killAll();
        await ended;
        assert.equal(left.signalCode, "SIGKILL");
    });
});
