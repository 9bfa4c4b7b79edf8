import assert from "node:assert/strict";
import { findSpecs, groupSpecs, isInAll } from "../../../dev/test-run/groups.js";
import { describeTurns, inTurn, onlyTurn, turnOn } from "../../../dev/test-run/rotation.js";

const day = (date: number) => new Date(`2026-11-${date}T23:59:59Z`);
const rollout = "tests/x/rollout.long.cluster.spec.ts";
const menu = "tests/x/menu.long.browser.spec.ts";
const retries = "tests/x/retries.long.process.spec.ts";
const filesOf = (groups: ReturnType<typeof inTurn>) => groups.flatMap(({ files }) => files);

describe("The runs of npm run test:all on three days", () => {
    it("together run each of its files, and each run has the files without a turn", () => {
        const files = findSpecs().filter(isInAll);
        const runs = [27, 28, 29].map((date) => filesOf(inTurn(groupSpecs(files), turnOn(day(date)))));
        assert.deepEqual([...new Set(runs.flat())].sort(), files.toSorted());
        assert.ok(runs.every((run) => run.length < files.length));
        const everyDay = files.filter((file) => runs.every((run) => run.includes(file)));
        assert.equal(runs.flat().length, files.length + 2 * everyDay.length);
    });

    it("exclude the other groups, on any day if one was requested", () => {
        const groups = groupSpecs([rollout, menu, retries]);
        assert.deepEqual(filesOf(inTurn(groups, "cluster")), [rollout, retries]);
        assert.deepEqual(filesOf(inTurn(groups, turnOn(day(27), "machines"))), [menu, retries]);
        assert.throws(
            () => turnOn(day(27), "moon"),
            /^Error: --turn must be one of cluster, registries, machines, not moon\.$/,
        );
    });

    it("can consist of one group alone", () => {
        assert.deepEqual(filesOf(onlyTurn(groupSpecs([rollout, menu, retries]), "cluster")), [rollout]);
    });

    it("describe the other groups, and when they passed last", () => {
        const last = { [rollout]: "2026-11-23T10:00Z aaaaaaaaaa" };
        assert.deepEqual(describeTurns([rollout, menu, retries], "registries", last).split("\n"), [
            "  Ran the group registries. The others run on other days, or with npm run test:all -- --turn=NAME:",
            "    cluster: 1 files, all passed since 2026-11-23T10:00Z, commit aaaaaaaaaa",
            "    machines: 1 files, some have no recorded run",
        ]);
    });
});
