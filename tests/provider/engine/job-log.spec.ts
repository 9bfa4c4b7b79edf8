import assert from "node:assert/strict";
import { JobLog, withoutFullStop } from "../../../provider/src/engine/job-log.js";
import { FakeClock } from "../../fake-clock.js";

describe("log lines about a job", () => {
    let lines: string[];
    let clock: FakeClock;
    let log: JobLog;
    beforeEach(() => {
        lines = [];
        clock = new FakeClock();
        log = new JobLog("docs.example.com", "se_1", { log: (line) => lines.push(line), clock });
    });

    it("begin with the domain and the job", () => {
        log.say("export started");
        assert.deepEqual(lines, ["docs.example.com se_1: export started"]);
    });

    it("contain the status, percentage, pages and time waited", () => {
        clock.pass(12_000);
        log.progress({ status: "running", progress: 45.7, pageCount: 120 });
        assert.deepEqual(lines, ["docs.example.com se_1: running, 45 %, 120 pages (12 s)"]);
    });

    it("omit fields that the API omits", () => {
        log.progress({ status: "queued" });
        assert.deepEqual(lines, ["docs.example.com se_1: queued (0 s)"]);
    });

    it("are printed whenever the status changes", () => {
        log.progress({ status: "queued" });
        log.progress({ status: "running" });
        assert.deepEqual(lines, ["docs.example.com se_1: queued (0 s)", "docs.example.com se_1: running (0 s)"]);
    });

    it("are repeated only after thirty seconds if nothing changes", () => {
        const job = { status: "running", progress: 10, pageCount: 1 };
        log.progress(job);
        clock.pass(29_999);
        log.progress(job);
        assert.equal(lines.length, 1);
        clock.pass(1);
        log.progress(job);
        assert.equal(lines.length, 2);
        assert.match(lines[1] ?? "", /1 page \(30 s\)/);
    });
});

describe("A reason within a sentence", () => {
    it("keeps all full stops but the last", () => {
        assert.equal(withoutFullStop("Version 1.2 is gone."), "Version 1.2 is gone");
        assert.equal(withoutFullStop("a.md: no such image"), "a.md: no such image");
    });
});
