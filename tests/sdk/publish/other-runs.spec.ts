import assert from "node:assert/strict";
import { formatRecord, type SiteRecord } from "../../../sdk/src/publish/records/site-record.js";
import { defaultLeaseTimes, waitForOtherRuns } from "../../../sdk/src/publish/run/lease.js";
import { type SiteReader } from "../../../sdk/src/publish/targets/site-target.js";
import { FakeClock } from "../../fake-clock.js";

const record: SiteRecord = {
    ...{ formatVersion: 1, planVersion: 1, owner: "docs", conditionalWrites: true, serial: 1 },
    ...{ earlier: [], inventories: [] },
    pending: { before: [], after: [], done: 0, allowed: 0, run: "other", hasEnded: false },
};
const minute = 60_000;

/** Waits for a run that writes nothing. @param passes - how long each read takes */
async function waitedMs(passes: (read: number) => number, limit = 100): Promise<number> {
    const clock = new FakeClock();
    const startedAt = clock.now();
    let reads = 0;
    const target = {
        address: "a bucket",
        recordAddress: "its record",
        read: () => {
            reads += 1;
            assert.ok(reads < limit, "waits for ever");
            clock.pass(passes(reads));
            return Promise.resolve({ content: Buffer.from(formatRecord(record)), version: "1" });
        },
    } as unknown as SiteReader;
    await waitForOtherRuns(target, defaultLeaseTimes, clock, () => undefined, new AbortController().signal);
    return clock.now() - startedAt;
}

describe("A run that waits for another run on the same site", () => {
    it("takes over after 20 seconds of silence", async () => {
        assert.equal(await waitedMs(() => 0), 20_000);
    });

    it("waits 20 seconds longer if the target was away for a minute, so that the other run could not write", async () => {
        assert.equal(await waitedMs((read) => (read === 3 ? minute : 0)), 10_000 + minute + 20_000);
    });

    it("does not take over because the clock was set forward by a year, or back", async () => {
        const year = 365 * 24 * 60 * minute;
        assert.equal(await waitedMs((read) => (read === 3 ? year : 0)), 10_000 + year + 20_000);
        assert.equal(await waitedMs((read) => (read === 3 ? -year : 0)), 10_000 - year + 20_000);
    });

    it("takes over in the end if each read is slow", async () => {
        assert.ok((await waitedMs(() => minute)) > 20_000);
    });
});
