import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mock } from "node:test";
import { localProcesses } from "../../../../provider/src/engine/journal/owner.js";
import { waitUntil } from "../../../wait-until.js";

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

    it("reports a process as ended before its parent has read its exit code", async function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        // `sleep` replaces the shell, and never asks for the exit code of the shell's child.
        const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"], {
            stdio: ["ignore", "pipe", "ignore"],
        });
        try {
            const [line] = (await once(parent.stdout, "data")) as [Buffer];
            const pid = Number(line.toString());
            await waitUntil("the child ends", () => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "));
            assert.equal(processes.isRunning({ host: self.host, pid }), false);
        } finally {
            parent.kill("SIGKILL");
        }
    });

    it("does not report that a process of another user has ended", () => {
        const kill = mock.method(process, "kill", () => {
            throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
        });
        try {
            assert.equal(processes.isRunning({ host: self.host, pid: 1 }), undefined);
        } finally {
            kill.mock.restore();
        }
    });

    it("reports without a start time that an earlier process with its own id has ended", () => {
        assert.equal(processes.isRunning({ host: self.host, pid: self.pid }), false);
    });

    it("distinguishes a process from a later process with the same id", function () {
        if (process.platform !== "linux") {
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
