import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { localProcesses } from "../../../../provider/src/engine/journal/owner.js";

describe("the process list of this machine", () => {
    const processes = localProcesses();
    const { self } = processes;

    it("reports without a start time that a process has ended, but not that it is running", async () => {
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
        await once(child, "spawn");
        const pid = child.pid!;
        // Without the start time, it is unknown whether a process id has been reused.
        assert.equal(processes.isRunning({ host: self.host, pid }), undefined);
        child.kill("SIGKILL");
        await once(child, "exit");
        assert.equal(processes.isRunning({ host: self.host, pid }), false);
    });

    it("distinguishes a process from a later process with the same id", function () {
        if (self.since === undefined) {
            this.skip();
        }
        assert.equal(processes.isRunning(self), true);
        assert.equal(processes.isRunning({ ...self, since: "1" }), false);
    });

    it("reports nothing about processes of another host, or of a container with the same host name", () => {
        assert.equal(processes.isRunning({ ...self, host: "elsewhere" }), undefined);
        assert.equal(processes.isRunning({ ...self, host: self.host.replace(/\[\d+\]$/, "[1]") }), undefined);
    });
});
