import assert from "node:assert/strict";
import { type Group } from "../../../dev/test-run/groups.js";
import { type FileResult, summarize } from "../../../dev/test-run/results.js";
import { runFailedAgain } from "../../../dev/test-run/run-again.js";

const group: Group = { name: "unit", files: ["a", "b", "c", "d"], jobs: 3, timeoutMs: 1000, needsTools: false };
const passed = (file: string): FileResult => ({
    file,
    passing: 1,
    pending: [],
    failures: [],
    seconds: 1,
    processorSeconds: 1,
});
const failed = (file: string): FileResult => ({
    ...passed(file),
    passing: 0,
    failures: [{ file, title: "opens", message: "too slow" }],
});

describe("A file that failed in a full run", () => {
    const runAgain = async (first: FileResult[], again: (file: string) => FileResult) => {
        const runs: Pick<Group, "files" | "jobs">[] = [];
        const results = await runFailedAgain(first, [group], ({ files, jobs }) => {
            runs.push({ files, jobs });
            return Promise.resolve(files.map(again));
        });
        return { runs, summary: summarize(results, 1) };
    };

    it("runs again alone, and is reported if it then passes", async () => {
        const { runs, summary } = await runAgain([passed("a"), failed("b")], passed);
        assert.deepEqual(runs, [{ files: ["b"], jobs: 1 }]);
        assert.match(summary, /passed when it ran again, alone: b\n {5}opens\n {7}too slow\n/);
        assert.doesNotMatch(summary, /failing/);
    });

    it("counts as failed if it fails again", async () => {
        const { summary } = await runAgain([passed("a"), failed("b")], failed);
        assert.match(summary, /1 passing.*\n {2}1 failing\n/);
        assert.doesNotMatch(summary, /alone/);
    });

    it("runs again with the other failed files of its group, one after another, however many failed", async () => {
        const { runs, summary } = await runAgain(["a", "b", "c", "d"].map(failed), passed);
        assert.deepEqual(runs, [{ files: ["a", "b", "c", "d"], jobs: 1 }]);
        assert.match(summary, /Failed at first, and passed alone \(4\):\n {4}a\n {4}b\n {4}c\n {4}d\n/);
        assert.doesNotMatch(summary, /failing/);
    });
});
