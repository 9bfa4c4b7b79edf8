import assert from "node:assert/strict";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import {
    IdempotencyKeyReusedError,
    IdempotencyKeys,
    type KeyedRequest,
} from "../../../service/src/jobs/idempotency-keys.js";
import { withSqlite } from "../support/sqlite.js";

const maxAgeMs = 1000;
const request: KeyedRequest = { scope: "start docs.example.com", key: "k1", started: { version: "1" } };

interface Given {
    database: ServiceDatabase;
    clock: { now: number };
    /** Sends a request, which starts a job if there is none yet; jobs are called 1, 2 and so on. */
    send: (changes?: Partial<KeyedRequest>) => Promise<readonly [job: string, isReplayed: boolean]>;
    /** The jobs that are stored. */
    jobs: Set<string>;
}

async function withKeys(use: (given: Given) => Promise<void>): Promise<void> {
    await withSqlite(async (database) => {
        const clock = { now: 10_000 };
        const jobs = new Set<string>();
        const keys = new IdempotencyKeys(database, () => clock.now, maxAgeMs);
        let started = 0;
        await use({
            ...{ database, clock, jobs },
            send: async (changes = {}) => {
                const { jobId, isReplayed } = await keys.once(
                    { ...request, ...changes },
                    {
                        start: () => {
                            jobs.add(String((started += 1)));
                            return Promise.resolve(String(started));
                        },
                        hasJob: (jobId) => Promise.resolve(jobs.has(jobId)),
                    },
                );
                return [jobId, isReplayed];
            },
        });
    });
}

describe("An Idempotency-Key", () => {
    it("starts one job, however often its request is sent", async () => {
        await withKeys(async ({ send }) => {
            assert.deepEqual(
                [await send(), await send(), await send()],
                [
                    ["1", false],
                    ["1", true],
                    ["1", true],
                ],
            );
        });
    });

    it("starts another job in another scope, and other keys do, too", async () => {
        await withKeys(async ({ send }) => {
            await send();
            assert.deepEqual(await send({ scope: "start other.example.com" }), ["2", false]);
            assert.deepEqual(await send({ key: "k2" }), ["3", false]);
            assert.deepEqual(await send(), ["1", true]);
        });
    });

    it("is refused with another body, and stays usable with its own", async () => {
        await withKeys(async ({ send, jobs }) => {
            await send();
            const refused = { name: "IdempotencyKeyReusedError", message: /send a new key with a new request/ };
            await assert.rejects(send({ started: { version: "2" } }), refused);
            assert.deepEqual([await send(), jobs.size], [["1", true], 1]);
        });
    });

    it("counts as new once its job was removed", async () => {
        await withKeys(async ({ send, jobs }) => {
            await send();
            jobs.clear();
            assert.deepEqual(
                [await send(), await send()],
                [
                    ["2", false],
                    ["2", true],
                ],
            );
        });
    });

    it("counts as new, with any body, once it is older than keys are stored", async () => {
        await withKeys(async ({ send, clock }) => {
            await send();
            clock.now += maxAgeMs - 1;
            assert.deepEqual(await send(), ["1", true]);
            clock.now += 1;
            assert.deepEqual(await send({ started: { version: "2" } }), ["2", false]);
        });
    });

    it("is not stored if its job could not be started", async () => {
        await withSqlite(async (database) => {
            const keys = new IdempotencyKeys(database, () => 10_000, maxAgeMs);
            const hasJob = () => Promise.resolve(true);
            const full = () => Promise.reject(new Error("The queue is full."));
            await assert.rejects(keys.once(request, { start: full, hasJob }), /queue is full/);
            const start = () => Promise.resolve("1");
            assert.deepEqual(await keys.once(request, { start, hasJob }), { jobId: "1", isReplayed: false });
            const changed = { ...request, started: {} };
            await assert.rejects(keys.once(changed, { start, hasJob }), IdempotencyKeyReusedError);
        });
    });
});

describe("A request without an Idempotency-Key", () => {
    it("starts a job each time, or nothing if that fails", async () => {
        await withSqlite(async (database) => {
            const keys = new IdempotencyKeys(database, () => 10_000, maxAgeMs);
            const jobs: number[] = [];
            const start = () => Promise.resolve(jobs.push(jobs.length));
            assert.deepEqual([await keys.always(start), await keys.always(start)], [1, 2]);
            const sql = "INSERT INTO gone_sites (domain, gone_since) VALUES ('docs.example.com', 1)";
            const failing = keys.always(async (transaction) => {
                await transaction.run(sql);
                throw new Error("no");
            });
            await assert.rejects(failing, /no/);
            assert.deepEqual(await database.all("SELECT domain FROM gone_sites"), []);
        });
    });
});
