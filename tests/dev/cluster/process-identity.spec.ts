import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
    identifyProcess,
    isRunning,
    killProcess,
    parseProcessStat,
    type ProcessIdentity,
} from "../../../dev/cluster/src/cluster/process-identity.js";

const line = (name: string) =>
    `4711 (${name}) S 1 4711 4711 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 123456 10000000 500 18446744073709551615`;

describe("parseProcessStat", () => {
    it("finds the state and the start time of a process", () => {
        assert.deepEqual(parseProcessStat(line("sh")), { pid: 4711, state: "S", startTime: "123456" });
    });

    it("is not confused by unusual program names", () => {
        assert.deepEqual(parseProcessStat(line("a) Z 1 (b")), { pid: 4711, state: "S", startTime: "123456" });
    });

    it("returns undefined for a truncated line", () => {
        assert.equal(parseProcessStat(""), undefined);
        assert.equal(parseProcessStat("4711 (sh) S 1 4711"), undefined);
    });
});

describe("killing a process by its identity", function () {
    before(function () {
        if (process.platform !== "linux") {
            console.log("      skipped: /proc is Linux's");
            this.skip();
        }
    });

    const startProcess = async () => {
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
        await once(child, "spawn");
        const identity = (await identifyProcess(child.pid as number)) as ProcessIdentity;
        return { child, identity, exited: once(child, "exit") };
    };

    it("ends a running process, and isRunning then returns false", async () => {
        const { identity, exited } = await startProcess();
        assert.equal(await isRunning(identity), true);
        await killProcess(identity);
        assert.deepEqual(await exited, [null, "SIGKILL"]);
        assert.equal(await isRunning(identity), false);
    });

    it("spares a process that reuses the id of an earlier process", async () => {
        const { child, identity, exited } = await startProcess();
        for (const earlier of [
            { ...identity, startTime: "1" },
            { ...identity, bootId: "00000000-0000-0000-0000-000000000000" },
        ]) {
            assert.equal(await isRunning(earlier), false);
            await killProcess(earlier);
        }
        assert.equal(await isRunning(identity), true);
        child.kill("SIGTERM");
        assert.deepEqual(await exited, [null, "SIGTERM"]);
    });

    it("does nothing if the process has exited", async () => {
        const { child, identity, exited } = await startProcess();
        child.kill();
        await exited;
        await killProcess(identity);
        assert.equal(await identifyProcess(identity.pid), undefined);
    });
});
