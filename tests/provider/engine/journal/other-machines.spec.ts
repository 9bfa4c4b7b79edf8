import assert from "node:assert/strict";
import type { Journal } from "../../../../provider/src/engine/journal/journal.js";
import { FakeClock } from "../../../fake-clock.js";
import { FakeMachine } from "../../support/fake-machine.js";
import { claimIn, JournalFixture, key, startIn } from "./journal-fixture.js";

describe("the journal of jobs on another machine", () => {
    let fixture: JournalFixture;
    beforeEach(() => {
        fixture = new JournalFixture();
    });
    afterEach(() => fixture.dispose());

    const other = new FakeMachine();
    const isUnderWay = async (journal: Journal) => (await journal.lastStart(key))?.isUnderWay;

    it("treats a start as in progress while its heartbeat continues", async () => {
        const there = fixture.open(other);
        await claimIn(there);
        const here = fixture.open();
        for (let beats = 0; beats < 20; beats++) {
            assert.equal(await isUnderWay(here), true);
            fixture.clock.pass(5_000);
            await there.beat();
        }
    });

    it("treats a start as interrupted when its heartbeat has been missing for 30 seconds", async () => {
        await claimIn(fixture.open(other));
        const here = fixture.open();
        assert.equal(await isUnderWay(here), true);
        fixture.clock.pass(29_999);
        assert.equal(await isUnderWay(here), true);
        fixture.clock.pass(1);
        assert.equal(await isUnderWay(here), false);
    });

    it("treats a start as interrupted immediately when its process has exited cleanly", async () => {
        const there = fixture.open(other);
        await claimIn(there);
        there.close();
        assert.equal(await isUnderWay(fixture.open()), false);
    });

    it("relies on the other machine's heartbeat instead of its clock", async () => {
        const ahead = new FakeClock("2027-11-20T12:00:00Z");
        const there = fixture.open(other, ahead);
        await claimIn(there);
        const here = fixture.open();
        assert.equal(await isUnderWay(here), true);
        fixture.clock.pass(30_000);
        assert.equal(await isUnderWay(here), false);
    });

    it("takes over a run's entry once the run is known to have ended", async () => {
        await startIn(fixture.open(other));
        const [job] = await fixture.open().jobs(key);
        const shared = await job?.share();
        assert.equal(fixture.entryNames().length, 2);
        fixture.clock.pass(30_000);
        await shared?.saveDelivery();
        assert.equal(fixture.entryNames().length, 1);
    });
});
