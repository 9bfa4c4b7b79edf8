import assert from "node:assert/strict";
import { groupSpecs } from "../../../dev/test-run/groups.js";
import { addPassed, describeWaiting, waitingFirst } from "../../../dev/test-run/last-passed.js";
import { type FileResult } from "../../../dev/test-run/results.js";

const [monday, tuesday] = ["2026-11-23T10:00Z aaaaaaaaaa", "2026-11-24T10:00Z bbbbbbbbbb"] as const;
const resultOf = (file: string, other: Partial<FileResult> = {}): FileResult => ({
    ...{ file, passing: 1, pending: [], failures: [], seconds: 1, processorSeconds: 1 },
    ...other,
});

describe("the record of a run", () => {
    it("has the files that passed, and keeps what it says of the others", () => {
        const failure = { file: "b", title: "t", message: "m" };
        const results = [resultOf("a"), resultOf("b", { failures: [failure] }), resultOf("c", { passing: 0 })];
        assert.deepEqual(addPassed({ b: monday, d: monday }, results, tuesday), { a: tuesday, b: monday, d: monday });
    });

    it("names the run in which a file passed last, if there is one", () => {
        assert.equal(describeWaiting("a", { a: monday }), "a: passed last in 2026-11-23T10:00Z, commit aaaaaaaaaa");
        assert.equal(describeWaiting("a", {}), "a: no recorded run");
    });
});

describe("npm run test:all", () => {
    const [never, old, older, newest, other] = ["e", "d", "c", "b", "a"].map(
        (name) => `tests/x/${name}.long.process.spec.ts`,
    ) as [string, string, string, string, string];
    const groups = groupSpecs([never, old, older, newest, other]);
    const filesOf = (rounds: ReturnType<typeof waitingFirst>) =>
        rounds.map((round) => round.flatMap(({ files }) => files));

    it("begins with the files that the newest recorded run left out, the longest waiting first", () => {
        const sunday = "2026-11-22T10:00Z cccccccccc";
        const last = { [old]: monday, [older]: sunday, [newest]: tuesday, [other]: tuesday };
        assert.deepEqual(filesOf(waitingFirst(groups, last)), [
            [never, older, old],
            [other, newest],
        ]);
    });

    it("keeps the usual order if the newest recorded run left nothing out, or there is no record", () => {
        const all = Object.fromEntries(groups.flatMap(({ files }) => files).map((file) => [file, monday]));
        assert.deepEqual(filesOf(waitingFirst(groups, all)), [[other, newest, older, old, never]]);
        assert.deepEqual(filesOf(waitingFirst(groups, {})), [[other, newest, older, old, never]]);
    });
});
