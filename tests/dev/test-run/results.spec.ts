import assert from "node:assert/strict";
import { type FileResult, summarize } from "../../../dev/test-run/results.js";
import { endsInTime } from "../../../dev/test-run/time-limit.js";

const resultOf = (file: string, processorSeconds: number, seconds: number): FileResult => ({
    ...{ file, processorSeconds, seconds, passing: 1, pending: [], failures: [] },
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
