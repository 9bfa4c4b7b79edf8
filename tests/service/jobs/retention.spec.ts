import assert from "node:assert/strict";
import { mock } from "node:test";
import { type DatabaseClock } from "../../../service/src/database/database-clock.js";
import { Retention, type StoredJobs } from "../../../service/src/jobs/retention.js";
import { type RetentionRounds } from "../../../service/src/jobs/retention-rounds.js";
import { type Storage } from "../../../service/src/storage/create-storage.js";

type Removal = Parameters<StoredJobs["removeUnused"]>[0];

const dayMs = 24 * 3_600_000;

/** A retention of one process, whose jobs and storage the spec counts; every round is due. */
class RetentionInSpec {
    readonly log: string[] = [];
    readonly events: string[] = [];
    readonly limits: Removal[] = [];
    jobs = 0;
    isDue = true;
    silentMs = 0;
    bytes = () => Promise.resolve({ bundles: 1, bytes: 1_500_000 });
    readonly retention: Retention;

    constructor() {
        const event = (what: string): Promise<void> => Promise.resolve(void this.events.push(what));
        const observed = { observe: () => Promise.resolve(this.silentMs), ago: (ms: number) => Promise.resolve(-ms) };
        const rounds = {
            beginIfDue: () => event("look").then(() => this.isDue),
            begin: () => event("begin"),
            beginListingIfDue: () => Promise.resolve(false),
            succeed: () => event("succeed"),
            observed,
        };
        const storage = {
            agentLogs: { removeKeptBefore: (before: number) => event(`logs before ${before / dayMs} days`) },
            caches: { removeOutdated: () => event("caches") },
            bundles: {
                removeBundles: async (
                    whileUnused: (archives: string[], remove: () => Promise<void>) => Promise<number>,
                ) => whileUnused(["a"], () => event("bundle")),
                measure: () => this.bytes(),
            },
        };
        this.retention = new Retention({
            jobs: [
                {
                    removeUnused: (limits) => {
                        this.limits.push(limits);
                        return Promise.resolve(this.jobs);
                    },
                },
            ],
            bundleJobs: {
                count: () => Promise.resolve(2),
                whileUnused: (_archives, remove) => remove([]).then(() => 0),
            },
            storage: storage as unknown as Storage,
            rounds: rounds as unknown as RetentionRounds,
            clock: { sync: () => Promise.resolve(), now: () => 0, problem: undefined } as unknown as DatabaseClock,
            ...{ keepDays: 90, keepJobs: 200, linkTtlSeconds: 60 },
            logger: { info: (line) => this.log.push(line), error: (line) => this.log.push(`! ${line}`) },
        });
    }
}

describe("A round of the retention", () => {
    it("removes jobs, logs, caches and bundles by the service's limits, and logs nothing if nothing was old", async () => {
        const given = new RetentionInSpec();
        await given.retention.applyIfDue();
        assert.deepEqual(given.limits, [{ keepJobs: 200, unusedBefore: -90 * dayMs, linkedSince: -60_000 }]);
        assert.deepEqual(given.events, ["look", "logs before -90 days", "caches", "bundle", "succeed"]);
        assert.deepEqual(given.log, []);
    });

    it("logs the number of jobs, also if it removed no bundle", async () => {
        const given = new RetentionInSpec();
        given.jobs = 1;
        await given.retention.applyIfDue();
        assert.deepEqual(given.log, ["Removed 1 old job, and 0 bundles without a job."]);
    });

    it("logs how long nothing was removed, in hours", async () => {
        const given = new RetentionInSpec();
        given.silentMs = 2.9 * 3_600_000;
        await given.retention.applyIfDue();
        assert.match(given.log.join("\n"), /^No old jobs were removed for 2 hours: /);
    });
});

describe("The retention of a process", () => {
    beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
    afterEach(() => mock.timers.reset());

    it("looks at its start and then every minute whether a round is due, until it closes", async () => {
        const given = new RetentionInSpec();
        given.isDue = false;
        const looks = async (ms: number): Promise<number> => {
            mock.timers.tick(ms);
            await new Promise(setImmediate);
            return given.events.length;
        };
        given.retention.start();
        assert.equal(await looks(0), 1);
        assert.equal(await looks(59_999), 1);
        assert.equal(await looks(1), 2);
        assert.equal(await looks(60_000), 3);
        assert.deepEqual(given.limits, []);
        await given.retention.close();
        assert.equal(await looks(600_000), 3);
    });
});

describe("The retention of a service with a data folder", () => {
    it("runs a round at the start, also if none is due, and logs what the folder contains", async () => {
        const given = new RetentionInSpec();
        given.isDue = false;
        await given.retention.applyAtStart();
        assert.deepEqual([given.events[0], given.events.at(-1)], ["begin", "succeed"]);
        assert.deepEqual(given.log, [
            "The data folder contains 2 jobs and 1 bundle (2 MB); ended jobs are removed after 90 days without use, and " +
                "the oldest beyond 200 per domain.",
        ]);
    });

    it("starts also if the folder cannot be measured", async () => {
        const given = new RetentionInSpec();
        given.bytes = () => Promise.reject(new Error("EACCES"));
        await given.retention.applyAtStart();
        assert.deepEqual(given.log, ["! The data folder could not be measured: Error: EACCES"]);
    });
});
