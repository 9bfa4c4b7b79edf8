import assert from "node:assert/strict";
import { type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ControlGroups } from "../../../service/src/processes/control-group.js";
import { removeLeftRuns } from "../../../service/src/processes/left-runs.js";
import { withFolder } from "../../sdk/support/files.js";
import { endless, hold, startEndless, startMarked } from "./support/left-run.js";

/** Ends what a spec started, also if the spec fails. */
async function withProcesses(
    processes: readonly ChildProcess[],
    holders: readonly (() => Promise<void>)[],
    use: () => Promise<void>,
): Promise<void> {
    try {
        await use();
    } finally {
        processes.forEach((child) => child.kill("SIGKILL"));
        await Promise.all(holders.map((kill) => kill()));
    }
}

describe("What is left of a run whose service was killed", function () {
    this.timeout(30_000);

    before(function () {
        // Other systems do not show the marks of processes.
        if (process.platform !== "linux") {
            this.skip();
        }
    });

    it("is ended by the next process with this data folder, and no other run is", async () => {
        await withFolder(async (place) => {
            const [own, others] = ["se_1-a1", "se_2-b2"].map((name) => join(place, name));
            assert.ok(own !== undefined && others !== undefined);
            const [killService, killOther] = await Promise.all([hold(own), hold(others)]);
            const left = await startMarked(place, own);
            // The other run of this data folder still has its service, and another data folder has a run of this name.
            const kept = await Promise.all([startMarked(place, others), startMarked("/other/builds", own)]);
            await withProcesses([left, ...kept], [killService, killOther], async () => {
                await removeLeftRuns(place);
                assert.equal(left.signalCode, null, "a run stays while its service lives");
                await killService();
                const ended = once(left, "exit");
                assert.deepEqual(await removeLeftRuns(place), []);
                await ended;
                assert.equal(left.signalCode, "SIGKILL");
                assert.deepEqual(
                    kept.map(({ signalCode }) => signalCode),
                    [null, null],
                );
                const names = (await readdir(place)).map((name) => name.split(".")[0]);
                assert.deepEqual(new Set(names), new Set(["se_2-b2"]));
            });
        });
    });

    it("is ended also if its folder is on another file system, where only its lock names it", async () => {
        await withFolder(async (place) => {
            const folder = join(place, "aj_1-a1");
            const killService = await hold(folder);
            await rm(folder, { recursive: true });
            const left = await startMarked(place, folder);
            await withProcesses([left], [killService], async () => {
                await killService();
                const ended = once(left, "exit");
                await removeLeftRuns(place, 0);
                await ended;
                assert.deepEqual(await readdir(place), []);
            });
        });
    });

    it("is ended by its control group if its processes have no mark, and the group is removed", async function () {
        const groups = ControlGroups.open();
        if (typeof groups === "string") {
            console.log(`      skipped: ${groups}`);
            return this.skip();
        }
        await withFolder(async (place) => {
            const name = `se_1-${randomUUID()}`;
            await mkdir(join(place, name));
            const limits = { memoryMegabytes: 64, maxProcesses: 10 };
            const left = await startEndless(groups.create(name, limits).wrap(endless));
            await withProcesses([left], [], async () => {
                const ended = once(left, "exit");
                assert.deepEqual(await removeLeftRuns(place, 0), []);
                await ended;
                assert.equal(left.signalCode, "SIGKILL");
                // The kernel has one group of a name.
                await groups.create(name, limits).end();
            });
        });
    });

    it("is removed with the image of a file system that was not mounted yet", async () => {
        await withFolder(async (place) => {
            const folder = join(place, "se_1-a1");
            const killService = await hold(folder);
            await writeFile(`${folder}.image`, "");
            await killService();
            assert.deepEqual(await removeLeftRuns(place), []);
            assert.deepEqual(await readdir(place), []);
        });
    });
});
