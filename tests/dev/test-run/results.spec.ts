import assert from "node:assert/strict";
import { describeSlowest, type FileResult, summarize } from "../../../dev/test-run/results.js";
import { endsInTime } from "../../../dev/test-run/time-limit.js";

const resultOf = (file: string, processorSeconds: number, seconds: number): FileResult => ({
    ...{ file, processorSeconds, seconds, passing: 1, pending: [], failures: [] },
});

describe("The table of the slowest files", () => {
    it("starts with the file that used the most CPU time, and ends with the total", () => {
        const results = [resultOf("a", 1, 90), resultOf("b", 30, 20), resultOf("c", 29, 10)];
        assert.deepEqual(describeSlowest(results, 2).split("\n"), [
            "  processor   duration  the slowest files",
            "     30.0 s     20.0 s  b",
            "     29.0 s     10.0 s  c",
            "    1.0 min    2.0 min  all 3 files",
        ]);
    });
});

describe("The summary of a run", () => {
    it("ends with a line for each failure, because a service's log may fill the output", () => {
        const failure = { file: "b", title: "keeps jobs", message: `Error: lost\n${"a line of a log\n".repeat(500)}` };
        const lines = summarize([{ ...resultOf("b", 1, 1), failures: [failure] }], 1).split("\n");
        assert.deepEqual(lines.slice(-4), ["  1 passing (1.0 s)", "  1 failing", "    b: keeps jobs: Error: lost", ""]);
    });
});

describe("A spec file in a run with a time limit", () => {
    const minute = 60_000;

    it("starts if it can finish in time", () => {
        assert.ok(endsInTime("tests/sdk/http/retries.spec.ts", 6 * minute, 0));
        assert.ok(endsInTime("tests/sdk/http/retries.spec.ts", 6 * minute, 3 * minute));
        assert.ok(!endsInTime("tests/sdk/http/retries.spec.ts", 6 * minute, 4 * minute));
    });

    it("does not start if it is a long file and little time is left", () => {
        assert.ok(!endsInTime("tests/docs/commands.engine.spec.ts", 6 * minute, 0));
        assert.ok(endsInTime("tests/docs/commands.engine.spec.ts", 60 * minute, 0));
    });
});
