import assert from "node:assert/strict";
import { type DatabaseClock } from "../../../service/src/database/database-clock.js";
import { Retention } from "../../../service/src/jobs/retention.js";
import { type RetentionRounds } from "../../../service/src/jobs/retention-rounds.js";
import { type Storage } from "../../../service/src/storage/create-storage.js";

/** A retention whose only batch takes until the spec ends it. */
function createRetention(maxCloseMs: number) {
    const [began, batch] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
    const errors: string[] = [];
    const removeUnused = (): Promise<number> => {
        began.resolve();
        return batch.promise;
    };
    const observed = { observe: () => Promise.resolve(0), ago: () => Promise.resolve(0) };
    const rounds = { beginIfDue: () => Promise.resolve(true), release: () => Promise.resolve(), observed };
    const retention = new Retention({
        jobs: [{ removeUnused }],
        bundleJobs: { count: () => Promise.resolve(0), whileUnused: () => Promise.resolve(0) },
        storage: {} as Storage,
        rounds: rounds as unknown as RetentionRounds,
        clock: { sync: () => Promise.resolve(), now: () => 0, problem: undefined } as unknown as DatabaseClock,
        ...{ keepDays: 1, keepJobs: 1, linkTtlSeconds: 1, maxCloseMs },
        logger: { info: () => undefined, error: (line) => errors.push(line) },
    });
    retention.start();
    return { retention, began: began.promise, batch, errors };
}

describe("A process that closes during a round of the retention", () => {
    it("waits for the current batch", async () => {
        const { retention, began, batch } = createRetention(60_000);
        await began;
        let isClosed = false;
        const closed = retention.close().then(() => (isClosed = true));
        await new Promise(setImmediate);
        assert.equal(isClosed, false);
        batch.resolve(0);
        await closed;
    });

    it("ends without the batch if the storage does not answer, and logs nothing about it", async () => {
        const { retention, began, batch, errors } = createRetention(10);
        await began;
        await retention.close();
        batch.reject(new Error("The storage was closed."));
        await new Promise(setImmediate);
        assert.deepEqual(errors, []);
    });
});
