import assert from "node:assert/strict";
import { Retention } from "../../../service/src/jobs/retention.js";
import { RetentionRounds } from "../../../service/src/jobs/retention-rounds.js";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { type Storage } from "../../../service/src/storage/create-storage.js";
import { describeOnBoth } from "../database/databases.js";

const minute = 60_000;

interface Fixture {
    retention: Retention;
    rounds: RetentionRounds;
    log: string[];
}

/** Creates the retention of one process, which calls `removeUnused` to remove jobs. */
function retentionOf(
    database: ServiceDatabase,
    clock: () => number,
    removeUnused: () => Promise<number>,
    onRemoved: (removed: { jobs: number; bundles: number; found: number }) => void = () => undefined,
): Fixture {
    const log: string[] = [];
    const rounds = new RetentionRounds(database, clock);
    const bundles = { removeBundles: () => Promise.resolve(2), recordFound: () => Promise.resolve(3) };
    const retention = new Retention({
        jobs: [{ removeUnused }],
        bundleJobs: { count: () => Promise.resolve(0), whileUnused: () => Promise.resolve(false) },
        storage: { bundles } as unknown as Storage,
        rounds,
        onRemoved,
        clock,
        keepDays: 90,
        keepJobs: 200,
        linkTtlSeconds: 60,
        logger: { info: (line) => void log.push(line), error: (line) => void log.push(line) },
    });
    return { retention, rounds, log };
}

describeOnBoth("The rounds of the retention", (withDatabase) => {
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
                retentionOf(
                    database,
                    () => now,
                    remove,
                    (removed) => found.push(removed.found),
                ),
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
                (counts) => removed.push(counts),
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
                "Removed 5 old jobs and 2 bundles that belonged to no job.",
            ]);
        });
    });
});
