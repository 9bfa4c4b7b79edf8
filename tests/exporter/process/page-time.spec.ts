import assert from "node:assert/strict";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { PageTime, usedMsOf } from "../../../exporter/src/process/page-time.js";

const page = (count: number, file = "a.md") => ({ count, file });

describe("the time limit of a page", () => {
    it("is exceeded when the process has used more than the limit since the page began", () => {
        const time = new PageTime(1000, page(0, ""), 50);
        assert.equal(time.isOver(page(1), 100), false);
        assert.equal(time.isOver(page(1), 1100), false);
        assert.equal(time.isOver(page(1), 1101), true);
    });

    it("starts again with each page, and does not apply between pages", () => {
        const time = new PageTime(1000, page(1), 0);
        assert.equal(time.isOver(page(2), 5000), false);
        assert.equal(time.isOver(page(2), 5900), false);
        assert.equal(time.isOver(page(3, ""), 5900), false);
        assert.equal(time.isOver(page(3, ""), 9000), false);
    });

    it("counts the CPU time of a process, but not the time that the process waits", function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        const before = usedMsOf(process.pid);
        const own = process.cpuUsage();
        for (let sum = 0; process.cpuUsage(own).user < 100_000; sum += 1) {
            Math.sqrt(sum);
        }
        const worked = usedMsOf(process.pid) - before;
        const measured = process.cpuUsage(own);
        assert.ok(worked >= 60 && worked <= (measured.user + measured.system) / 1000 + 60, `${worked}`);
    });

    it("does not count the CPU time of other threads, which work on other pages", async function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        const before = usedMsOf(process.pid);
        const own = process.cpuUsage();
        const work = "for (const start = process.cpuUsage(); process.cpuUsage(start).user < 400_000; );";
        await once(new Worker(work, { eval: true }), "exit");
        assert.ok(process.cpuUsage(own).user >= 400_000);
        const counted = usedMsOf(process.pid) - before;
        assert.ok(counted < 200, `${counted}`);
    });
});
