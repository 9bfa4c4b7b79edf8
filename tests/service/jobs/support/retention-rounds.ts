import assert from "node:assert/strict";
import { DatabaseClock } from "../../../../service/src/database/database-clock.js";
import { Retention, type StoredJobs } from "../../../../service/src/jobs/retention.js";
import { RetentionRounds } from "../../../../service/src/jobs/retention-rounds.js";
import { type ServiceDatabase } from "../../../../service/src/database/database.js";
import { type Storage } from "../../../../service/src/storage/create-storage.js";
import { silentLogger } from "../../../../service/src/shared/logger.js";

const minute = 60_000;

interface Fixture {
    retention: Retention;
    rounds: RetentionRounds;
    log: string[];
}

interface Given {
    onRemoved?: (removed: { jobs: number; bundles: number; found: number }) => void;
    timeOf?: Pick<ServiceDatabase, "now">;
    recordFound?: () => Promise<number>;
}

/** Creates the retention of one process, which calls `removeUnused` to remove jobs. */
export function retentionOf(
    database: ServiceDatabase,
    clock: () => number,
    removeUnused: StoredJobs["removeUnused"],
    { onRemoved, timeOf = {}, recordFound = () => Promise.resolve(3) }: Given = {},
): Fixture {
    const log: string[] = [];
    const rounds = new RetentionRounds(database, clock);
    const bundles = { removeBundles: () => Promise.resolve(2), recordFound };
    const retention = new Retention({
        jobs: [{ removeUnused }],
        bundleJobs: { count: () => Promise.resolve(0), whileUnused: () => Promise.resolve(0) },
        storage: { bundles } as unknown as Storage,
        rounds,
        ...(onRemoved && { onRemoved }),
        clock: new DatabaseClock(timeOf, clock, silentLogger),
        keepDays: 90,
        keepJobs: 200,
        linkTtlSeconds: 60,
        logger: { info: (line) => void log.push(line), error: (line) => void log.push(line) },
    });
    return { retention, rounds, log };
}

/** Declares the specs of the rounds with databases of one kind. */
export function declareRounds(
    withDatabase: (use: (database: ServiceDatabase) => Promise<void>) => Promise<void>,
): void {
    it("run every ten minutes, each in only one of several processes", async () => {
        await withDatabase(async (database) => {
            let now = Date.parse("2026-11-01T10:00:00Z");
            let applied = 0;
            const remove = (): Promise<number> => Promise.resolve((applied += 1));
            const processes = Array.from({ length: 6 }, () => retentionOf(database, () => now, remove));
            const look = async (): Promise<number> => {
                await Promise.all(processes.map(({ retention }) => retention.applyIfDue()));
                return applied;
            };
            assert.equal(await look(), 1);
            now += 9 * minute;
            assert.equal(await look(), 1);
            now += minute;
            assert.equal(await look(), 2);
        });
    });

    it("list the storage once a day in one process, and report the number of objects found", async () => {
        await withDatabase(async (database) => {
            let now = Date.parse("2026-11-01T10:00:00Z");
            const found: number[] = [];
            const remove = (): Promise<number> => Promise.resolve(0);
            const processes = [1, 2].map(() =>
                retentionOf(database, () => now, remove, { onRemoved: (removed) => found.push(removed.found) }),
            );
            for (let round = 0; round <= 24 * 6; round += 1) {
                await processes[round % 2]?.retention.applyIfDue();
                now += 10 * minute;
            }
            assert.deepEqual([found.length, found[0], found.at(-1)], [145, 3, 3]);
            assert.deepEqual(new Set(found.slice(1, -1)), new Set([0]));
            const said = processes[0]?.log.filter((line) =>
                /^3 stored bundles were missing from the database/.test(line),
            );
            assert.equal(said?.length, 2);
        });
    });

    it("list the storage again after an hour if a listing did not end", async () => {
        await withDatabase(async (database) => {
            let now = Date.parse("2026-11-01T10:00:00Z");
            let listings = 0;
            const failing = () => Promise.reject(new Error(`the bucket is slow: ${(listings += 1)}`));
            const { retention } = retentionOf(
                database,
                () => now,
                () => Promise.resolve(0),
                { recordFound: failing },
            );
            const listingsUntil = async (minutes: number): Promise<number> => {
                for (const end = now + minutes * minute; now < end; now += 10 * minute) {
                    await retention.applyIfDue();
                }
                return listings;
            };
            assert.equal(await listingsUntil(60), 1);
            assert.equal(await listingsUntil(60), 2);
        });
    });

    it("continue even if a machine with a wrong clock has recorded a round in the future", async () => {
        await withDatabase(async (database) => {
            const ahead = new RetentionRounds(database, () => Date.now() + 3600 * minute);
            assert.equal(await ahead.beginIfDue(), true);
            assert.equal(await new RetentionRounds(database, Date.now).beginIfDue(), true);
        });
    });

    it("count as a success, with the number of removals, only if everything outdated was removed", async () => {
        await withDatabase(async (database) => {
            let now = Date.now() + minute;
            let removes = (): Promise<number> => Promise.reject(new Error("statement timeout"));
            const removed: object[] = [];
            const { retention, rounds, log } = retentionOf(
                database,
                () => now,
                () => removes(),
                { onRemoved: (counts) => removed.push(counts) },
            );
            await retention.applyIfDue();
            assert.ok((await rounds.lastSuccessAt()).getTime() < now);
            assert.deepEqual(removed, []);
            removes = () => Promise.resolve(5);
            now += 10 * minute;
            await retention.applyIfDue();
            assert.equal((await rounds.lastSuccessAt()).getTime(), now);
            assert.deepEqual(removed, [{ jobs: 5, bundles: 2, found: 3 }]);
            assert.deepEqual(log, [
                "Old jobs and bundles could not be removed: Error: statement timeout",
                "3 stored bundles were missing from the database, for example after a restore: those that " +
                    "still belong to no job in 7 days will be removed.",
                "Removed 5 old jobs, and 2 bundles without a job.",
            ]);
        });
    });

    it("end after the current batch when the process stops, and another process continues at once", async () => {
        await withDatabase(async (database) => {
            const now = Date.parse("2026-11-01T10:00:00Z");
            const begun = Promise.withResolvers<void>();
            const stopping = Promise.withResolvers<void>();
            let batches = 0;
            const stopped = retentionOf(
                database,
                () => now,
                async (_limits, betweenBatches) => {
                    for (;;) {
                        batches += 1;
                        begun.resolve();
                        await stopping.promise;
                        await betweenBatches();
                    }
                },
            );
            stopped.retention.start();
            await begun.promise;
            const closed = stopped.retention.close();
            stopping.resolve();
            await closed;
            assert.deepEqual([batches, stopped.log], [1, []]);
            let continued = 0;
            const next = retentionOf(
                database,
                () => now,
                () => Promise.resolve((continued += 1)),
            );
            await next.retention.applyIfDue();
            assert.equal(continued, 1);
        });
    });

    it("stay the only ones, even if one takes an hour", async () => {
        await withDatabase(async (database) => {
            let now = Date.parse("2026-11-01T10:00:00Z");
            const other = new RetentionRounds(database, () => now);
            const begunByOther: boolean[] = [];
            const long = retentionOf(
                database,
                () => now,
                async (_limits, betweenBatches) => {
                    for (let minutes = 0; minutes < 60; minutes += 1) {
                        now += minute;
                        await betweenBatches();
                        begunByOther.push(await other.beginIfDue());
                    }
                    return 0;
                },
            );
            await long.retention.applyIfDue();
            assert.deepEqual(new Set(begunByOther), new Set([false]));
            assert.equal((await other.lastSuccessAt()).getTime(), now);
        });
    });

    for (const [what, aheadMs, rounds] of [
        ["do not begin on a machine whose clock is 100 days ahead", 144_000 * minute, 0],
        ["do not begin on a machine whose clock is two minutes behind", -2 * minute, 0],
        ["begin on a machine whose clock is half a minute ahead", minute / 2, 1],
    ] as const) {
        it(what, async () => {
            await withDatabase(async (database) => {
                const now = Date.parse("2026-11-01T10:00:00Z");
                let begun = 0;
                const { retention } = retentionOf(
                    database,
                    () => now + aheadMs,
                    () => Promise.resolve((begun += 1)),
                    { timeOf: { now: () => Promise.resolve(now) } },
                );
                await retention.applyIfDue();
                assert.equal(begun, rounds);
            });
        });
    }
}
