import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claimIn, JournalFixture, jobsIn, key, startIn } from "./journal-fixture.js";

describe("the journal of jobs in flight", () => {
    let fixture: JournalFixture;
    beforeEach(() => {
        fixture = new JournalFixture();
    });
    afterEach(() => fixture.dispose());

    describe("for copies that are being served", () => {
        const address = "s3://docs-bundles/static-exports/se_1.tar.gz";

        it("lists the copies of other running processes, but not its own", async () => {
            const [creating, deleting] = [fixture.open(), fixture.open()];
            await creating.serve(address);
            assert.equal(await creating.isServedElsewhere(address), false);
            assert.equal(await deleting.isServedElsewhere(address), true);
            assert.equal(await deleting.isServedElsewhere(`${address}.other`), false);
            creating.close();
            assert.equal(await deleting.isServedElsewhere(address), false);
        });

        it("forgets the copies of killed processes, and removes their files and damaged ones", async () => {
            await fixture.open().serve(address);
            fixture.machine.killAll();
            const [name = ""] = readdirSync(fixture.folder).filter((each) => each.includes(".serves."));
            writeFileSync(join(fixture.folder, name.replace(/\.[^.]+\.json$/, ".damaged.json")), "{}");
            assert.equal(await fixture.open().isServedElsewhere(address), false);
            assert.deepEqual(
                readdirSync(fixture.folder).filter((name) => name.includes(".serves.")),
                [],
            );
        });
    });

    describe("for jobs", () => {
        it("lists jobs of all runs with the same key, newest first", async () => {
            const oldestFirst = ["se_4", "se_1", "se_3", "se_2", "se_5"];
            for (const jobId of oldestFirst) {
                await startIn(fixture.open(), jobId);
                fixture.clock.pass(1000);
            }
            assert.deepEqual(await jobsIn(fixture.open()), oldestFirst.toReversed());
            assert.deepEqual(await jobsIn(fixture.open(), ["https://api.example.com", { domain: "other" }]), []);
        });

        it("reports whether the run of a job is still running", async () => {
            await startIn(fixture.open());
            const [running] = await fixture.open().jobs(key);
            fixture.machine.killAll();
            const [ended] = await fixture.open().jobs(key);
            assert.deepEqual([running?.isRunning, ended?.isRunning], [true, false]);
        });

        it("keeps a job after its result was returned, until the job is removed", async () => {
            const entry = await startIn(fixture.open());
            await entry.saveDelivery();
            const [delivered] = await fixture.open().jobs(key);
            assert.equal(delivered?.deliveredAt, "2026-11-20T12:00:00.000Z");
            entry.removeNow();
            assert.deepEqual(await jobsIn(fixture.open()), []);
        });

        it("forgets a job whose outcome is saved in the state", async () => {
            await startIn(fixture.open(), "se_1");
            await startIn(fixture.open(), "se_2");
            fixture.machine.killAll();
            await fixture.open().forget("se_1");
            assert.deepEqual(await jobsIn(fixture.open()), ["se_2"]);
        });

        it("forgets jobs with outdated ids, and ignores damaged records", async () => {
            await startIn(fixture.open(), "se_1");
            await startIn(fixture.open(), "se_2");
            fixture.machine.killAll();
            const [entry = ""] = fixture.entryNames();
            writeFileSync(join(fixture.folder, entry.replace(/\.[^.]+\.json$/, ".damaged.json")), "{}");
            await fixture.open().forgetOutdated((jobId) => jobId === "se_1");
            assert.deepEqual(await jobsIn(fixture.open()), ["se_2"]);
        });

        it("drops a job that an operation removes from the list", async () => {
            await startIn(fixture.open(), "se_1");
            await startIn(fixture.open(), "se_2");
            const [newest] = await fixture.open().jobs(key);
            await newest?.remove();
            assert.equal((await jobsIn(fixture.open())).length, 1);
        });

        it("does not restore a forgotten job when its delivery is recorded late", async () => {
            const journal = fixture.open();
            const entry = await startIn(journal);
            await journal.forget("se_1");
            await entry.saveDelivery();
            assert.deepEqual(await jobsIn(journal), []);
        });

        it("keeps the entry of a run that shares a job when the other run forgets the job", async () => {
            const first = fixture.open();
            await startIn(first);
            const [job] = await fixture.open().jobs(key);
            await job?.share();
            await first.forget("se_1");
            assert.deepEqual(await jobsIn(fixture.open()), ["se_1"]);
        });

        it("takes over the entry of a run that has ended", async () => {
            await startIn(fixture.open());
            fixture.machine.killAll();
            const [job] = await fixture.open().jobs(key);
            await job?.share();
            assert.equal(fixture.entryNames().length, 1);
        });
    });

    describe("for starts", () => {
        it("grants the claim to exactly one of many concurrent runs", async () => {
            const claims = await Promise.all(
                Array.from({ length: 20 }, () => fixture.open().claim(key, "docs.example.com", undefined)),
            );
            assert.equal(claims.filter((claim) => claim !== undefined).length, 1);
        });

        it("refuses a claim by a run that has not seen how the last start ended", async () => {
            const late = fixture.open();
            const seen = await late.lastStart(key);
            await startIn(fixture.open());
            assert.equal(await late.claim(key, "docs.example.com", seen), undefined);
            await claimIn(fixture.open());
            await claimIn(fixture.open());
            assert.equal(await late.claim(key, "docs.example.com", seen), undefined);
        });

        it("counts more than nine starts, and keeps only the newest", async () => {
            for (let count = 0; count < 11; count++) {
                await (await claimIn(fixture.open())).release();
            }
            assert.equal((await fixture.open().lastStart(key))?.number, 11);
            assert.equal(readdirSync(fixture.folder).filter((name) => name.includes(".start.")).length, 1);
        });

        it("keeps when and for whom a start was made when it is settled", async () => {
            await (await claimIn(fixture.open())).saveUnanswered();
            fixture.clock.pass(1000);
            await (await fixture.open().lastStart(key))?.settle();
            const last = await fixture.open().lastStart(key);
            assert.deepEqual([last?.startedAt, last?.isOpen], ["2026-11-20T12:00:00.000Z", false]);
        });

        it("lets another run wait for the job of an answered start", async () => {
            await (await startIn(fixture.open())).remove();
            assert.deepEqual(await jobsIn(fixture.open()), []);
            await (await fixture.open().lastStart(key))?.job?.share();
            assert.deepEqual(await jobsIn(fixture.open()), ["se_1"]);
        });

        it("counts a start as over if another run removes it while it is read", async () => {
            await claimIn(fixture.open());
            const late = fixture.open({
                start: () => ({
                    ...fixture.machine.start(),
                    isRunning: () => {
                        rmSync(fixture.folder, { recursive: true });
                        return false;
                    },
                }),
            });
            const last = await late.lastStart(key);
            assert.deepEqual([last?.isUnderWay, last?.isOpen], [false, false]);
        });

        it("distinguishes a start in progress from a start whose process has ended", async () => {
            await claimIn(fixture.open());
            assert.equal((await fixture.open().lastStart(key))?.isUnderWay, true);
            fixture.machine.killAll();
            assert.equal((await fixture.open().lastStart(key))?.isUnderWay, false);
        });

        it("counts its own process as running, even if the system cannot say so", async () => {
            const journal = fixture.open({ start: () => ({ ...fixture.machine.start(), isRunning: () => false }) });
            await claimIn(journal);
            assert.equal((await journal.lastStart(key))?.isUnderWay, true);
        });

        it("ignores a request that was never sent", async () => {
            const claim = await claimIn(fixture.open());
            fixture.machine.killAll();
            assert.equal((await fixture.open().lastStart(key))?.isOpen, false);
            await claim.begin();
            assert.equal((await fixture.open().lastStart(key))?.isOpen, true);
        });

        it("reports a request that was sent just before its process ended", async () => {
            const claim = await claimIn(fixture.open());
            const late = fixture.open({
                start: () => ({
                    ...fixture.machine.start(),
                    // The other process sends its request, and is killed after its entry is read and before its process
                    // is checked.
                    isRunning: () => {
                        fixture.note({ isSent: true });
                        return false;
                    },
                }),
            });
            const last = await late.lastStart(key);
            assert.deepEqual([last?.isOpen, last?.idempotencyKey], [true, claim.idempotencyKey]);
        });

        it("counts as in progress if it was answered just before its process ended, so that its job is found", async () => {
            await claimIn(fixture.open());
            const late = fixture.open({
                start: () => ({
                    ...fixture.machine.start(),
                    isRunning: () => {
                        fixture.note({ isSent: true, outcome: "started", jobId: "se_1" });
                        return false;
                    },
                }),
            });
            const last = await late.lastStart(key);
            assert.deepEqual([last?.isUnderWay, last?.isOpen], [true, false]);
            const again = await late.lastStart(key);
            assert.deepEqual([again?.isUnderWay, again?.isOpen, again?.job?.jobId], [false, false, "se_1"]);
        });

        it("shows whether a start was answered, refused or left unanswered", async () => {
            const last = async () => {
                const start = await fixture.open().lastStart(key);
                return { isUnderWay: start?.isUnderWay, isOpen: start?.isOpen, jobId: start?.job?.jobId };
            };
            await startIn(fixture.open());
            assert.deepEqual(await last(), { isUnderWay: false, isOpen: false, jobId: "se_1" });
            await (await claimIn(fixture.open())).release();
            assert.deepEqual(await last(), { isUnderWay: false, isOpen: false, jobId: undefined });
            await (await claimIn(fixture.open())).saveUnanswered();
            assert.deepEqual(await last(), { isUnderWay: false, isOpen: true, jobId: undefined });
            await (await fixture.open().lastStart(key))?.settle();
            assert.deepEqual(await last(), { isUnderWay: false, isOpen: false, jobId: undefined });
        });

        it("keeps the key and age of a repeated request, and keeps the request open if it is refused", async () => {
            const first = await claimIn(fixture.open());
            await first.begin();
            fixture.machine.killAll();
            fixture.clock.pass(60_000);
            const journal = fixture.open();
            const open = await journal.lastStart(key);
            const repeated = await journal.claim(key, "docs.example.com", open, open);
            assert.equal(repeated?.idempotencyKey, first.idempotencyKey);
            assert.deepEqual([first.isRepetition, repeated?.isRepetition], [false, true]);
            await repeated?.begin();
            await repeated?.release();
            const last = await journal.lastStart(key);
            assert.deepEqual([last?.isOpen, last?.startedAt], [true, "2026-11-20T12:00:00.000Z"]);
        });

        it("takes the time of the request for a first request, and for one with another key", async () => {
            const first = await claimIn(fixture.open());
            fixture.clock.pass(1000);
            await first.begin();
            const journal = fixture.open();
            const open = await journal.lastStart(key);
            assert.equal(open?.startedAt, "2026-11-20T12:00:01.000Z");
            fixture.machine.killAll();
            fixture.clock.pass(1000);
            await (await journal.claim(key, "docs.example.com", open, open))?.begin("other");
            const last = await journal.lastStart(key);
            assert.deepEqual([last?.startedAt, last?.idempotencyKey], ["2026-11-20T12:00:02.000Z", "other"]);
        });

        it("rejects a run that lost its claim while suspended, which writes nothing", async () => {
            const slept = await claimIn(fixture.open());
            fixture.machine.killAll();
            await claimIn(fixture.open());
            const names = readdirSync(fixture.folder);
            assert.equal(await slept.begin(), false);
            assert.deepEqual(readdirSync(fixture.folder), names);
        });
    });

    it("is empty before the first write", async () => {
        const journal = fixture.open();
        await journal.beat();
        journal.close();
        assert.equal(existsSync(fixture.folder), false);
        assert.deepEqual(await jobsIn(fixture.open()), []);
        await fixture.open().forget("se_1");
        assert.deepEqual(fixture.problems, []);
    });
});
