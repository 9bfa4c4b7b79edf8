import assert from "node:assert/strict";
import { formatLog, JobLogs, parseLog } from "../../../service/src/jobs/job-log.js";

const attempt = { jobId: "se_1", attempt: 2 };
const messagesOf = (logs: JobLogs, jobId = "se_1"): string[] => logs.of(jobId).map(({ message }) => message);

describe("The log of a run", () => {
    it("has the time, attempt and step of each line, and those of one job only", () => {
        let now = 1000;
        const logs = new JobLogs(() => now);
        logs.add(attempt, "Builds.", "build");
        now = 2000;
        logs.add(attempt, "A line.");
        assert.deepEqual(logs.of("se_1"), [
            { at: new Date(1000), attempt: 2, message: "Builds.", phase: "build" },
            { at: new Date(2000), attempt: 2, message: "A line." },
        ]);
        assert.deepEqual(logs.of("se_2"), []);
    });

    it("has each message on one line, indented, without control characters, at most 2,000 characters", () => {
        const messages = {
            "first\r\nsecond\nthird\rlast": "first second third last",
            "\tindented\u0007 \u001b[31mred\u001b[0m": "\tindented? red",
            ["x".repeat(1999) + "yz"]: `${"x".repeat(1999)}y`,
            ["x".repeat(2000)]: "x".repeat(2000),
        };
        for (const [message, shown] of Object.entries(messages)) {
            const logs = new JobLogs(() => 0);
            logs.add(attempt, message);
            assert.deepEqual(messagesOf(logs), [shown]);
        }
    });

    it("forgets lines that were stored, and keeps those that came meanwhile", () => {
        const logs = new JobLogs(() => 0);
        const other = { jobId: "se_2", attempt: 1 };
        ["one", "two", "three"].forEach((message) => logs.add(attempt, message));
        logs.add(other, "other");
        logs.stored("se_1", 2);
        assert.deepEqual([messagesOf(logs), messagesOf(logs, "se_2")], [["three"], ["other"]]);
        logs.stored("se_1", 1);
        assert.deepEqual(messagesOf(logs), []);
        logs.add(attempt, "four");
        assert.deepEqual(messagesOf(logs), ["four"]);
    });
});

describe("A stored log", () => {
    it("is read as it was written; a broken line hides no other line", () => {
        const logs = new JobLogs(() => 1000);
        logs.add(attempt, "Exports the pages.", "export");
        logs.add(attempt, "A line.");
        const [first = "", second = ""] = formatLog(logs.of("se_1")).split("\n");
        assert.deepEqual(parseLog(`${first}\n{"at":\n\n${second}\n`), logs.of("se_1"));
    });

    it("is empty if no run has stored lines", () => {
        assert.deepEqual([parseLog(null), parseLog(""), formatLog([])], [[], [], ""]);
    });
});
