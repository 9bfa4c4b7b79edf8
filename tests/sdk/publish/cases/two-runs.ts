import assert from "node:assert/strict";
import type { Published } from "@pulumi-static-export/sdk/publish";
import { defaultLeaseTimes } from "../../../../sdk/src/publish/run/lease.js";
import type { CreatePlace } from "../support/places.js";
import { type Site, SiteFixture, watchTarget } from "../support/site-fixture.js";

const site = (version: string): Site => ({ "index.html": version, "a.html": version, "b.html": version });

export function describeTwoRuns(createPlace: CreatePlace): void {
    describe("Two runs that publish to the same place", () => {
        let fixture: SiteFixture;
        beforeEach(async () => (fixture = await SiteFixture.create(createPlace)));
        afterEach(() => fixture.remove());

        it("do not overlap, because the second run waits until the first has ended", async () => {
            await fixture.publish(site("v0"));
            let second: Promise<Published> | undefined;
            const waits: number[] = [];
            let release = () => undefined as void;
            const firstEnded = new Promise<void>((resolve) => (release = resolve));
            let startWaiting = () => undefined as void;
            const secondWaits = new Promise<void>((resolve) => (startWaiting = resolve));
            const target = watchTarget(await fixture.openTarget(), (operation) => {
                if (operation === "send" && second === undefined) {
                    const clock = {
                        now: () => fixture.nowMs,
                        sleep: (ms: number) => {
                            waits.push(ms);
                            startWaiting();
                            return firstEnded;
                        },
                    };
                    second = fixture.publish(site("v2"), { clock });
                    return secondWaits;
                }
                return undefined;
            });
            await fixture.publish(site("v1"), {}, target);
            assert.deepEqual(Object.values(await fixture.live()), ["v1", "v1", "v1"]);
            release();
            await second;
            assert.ok(waits.length > 0, "it has waited");
            assert.deepEqual(Object.values(await fixture.live()), ["v2", "v2", "v2"]);
            assert.match(fixture.logged.join("\n"), /another run is publishing, or was killed: waiting up to 20 s/);
        });

        it("do not overlap if the record was removed while one was suspended", async () => {
            await fixture.publish(site("v0"));
            let isRemoved = false;
            const target = watchTarget(await fixture.openTarget(), async (operation) => {
                if (operation === "send" && !isRemoved) {
                    isRemoved = true;
                    // The wait of this run advances the clock, as if the other run had been suspended.
                    await fixture.unpublish();
                }
            });
            await assert.rejects(
                fixture.publish(site("v1"), {}, target),
                /another run is publishing to the same place/,
            );
            assert.equal(await fixture.record(), "undefined");
        });

        it("do not overlap after a long suspension, because the suspended run stops if another has taken over", async () => {
            await fixture.publish(site("v0"));
            let isTaken = false;
            const target = watchTarget(await fixture.openTarget(), async (operation) => {
                if (operation === "send" && !isTaken) {
                    isTaken = true;
                    // Each wait of the other run advances the clock, as if this run had been suspended.
                    await fixture.publish(site("v2"));
                }
            });
            await assert.rejects(
                fixture.publish(site("v1"), {}, target),
                /another run is publishing to the same place and has/,
            );
            assert.equal((await fixture.live())["index.html"], "v2");
            await fixture.publish(site("v2"));
            await fixture.publish(site("v3"));
            assert.deepEqual(Object.values(await fixture.live()), ["v3", "v3", "v3"]);
        });

        it("stop a request in progress when they learn that another run has taken over", async () => {
            await fixture.publish(site("v0"));
            let nowMs = fixture.nowMs;
            const clock = { now: () => nowMs, sleep: () => Promise.resolve() };
            let sent = 0;
            let isStopped = false;
            const target = watchTarget(await fixture.openTarget(), async (operation, _path, signal) => {
                sent += operation === "send" ? 1 : 0;
                if (operation === "send" && sent === 1) {
                    await fixture.publish(site("v2"));
                    nowMs += defaultLeaseTimes.beatMs;
                } else if (operation === "send" && sent === 2) {
                    await new Promise((resolve) => {
                        signal.addEventListener("abort", resolve);
                        setTimeout(resolve, 5000).unref();
                    });
                    isStopped = signal.aborted;
                }
            });
            await assert.rejects(fixture.publish(site("v1"), { clock }, target), /another run is publishing/);
            assert.deepEqual([sent, isStopped], [2, true]);
        });
    });
}
