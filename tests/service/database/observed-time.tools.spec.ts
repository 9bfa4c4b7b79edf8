import assert from "node:assert/strict";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { DatabaseClock } from "../../../service/src/database/database-clock.js";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { ObservedTime } from "../../../service/src/database/observed-time.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { AuditLog } from "../../../service/src/history/audit-log.js";
import { Workers } from "../../../service/src/history/workers.js";
import { IdempotencyKeys } from "../../../service/src/jobs/idempotency-keys.js";
import { RetentionRounds } from "../../../service/src/jobs/retention-rounds.js";
import { Retention } from "../../../service/src/jobs/retention.js";
import { SessionRecords } from "../../../service/src/keys/session-records.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { type Storage } from "../../../service/src/storage/create-storage.js";
import { describeOnBoth } from "./databases.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;
const start = Date.parse("2026-11-01T10:00:00Z");

/** A service with a clock that specs set, which keeps jobs for 9 days and keys for 7. */
class Served {
    now = start;
    readonly log: string[] = [];
    readonly clock = (): number => this.now;
    readonly store: SiteJobStore;
    readonly agentJobs: AgentJobStore;
    readonly keys: IdempotencyKeys;
    readonly retention: Retention;

    constructor(readonly database: ServiceDatabase) {
        const logger = {
            info: (line: string) => void this.log.push(line),
            error: (line: string) => void this.log.push(line),
        };
        this.store = new SiteJobStore(database, this.clock);
        this.agentJobs = new AgentJobStore(database, this.clock);
        this.keys = new IdempotencyKeys(database, this.clock, 7 * day);
        this.retention = new Retention({
            jobs: [this.store, this.agentJobs, new AuditLog(database, this.clock, silentLogger)],
            bundleJobs: this.store,
            storage: { bundles: { removeBundles: () => 0, recordFound: () => 0 } } as unknown as Storage,
            rounds: new RetentionRounds(database, this.clock),
            clock: new DatabaseClock({}, this.clock, silentLogger),
            keepDays: 9,
            keepJobs: 200,
            linkTtlSeconds: 3600,
            logger,
        });
    }

    /** Lets the service run for this long, with a round of the retention every ten minutes. */
    async runs(ms: number, stepMs = 10 * minute): Promise<void> {
        for (let passed = 0; passed < ms; passed += stepMs) {
            await this.retention.applyIfDue();
            this.now += stepMs;
        }
        await this.retention.applyIfDue();
    }

    /** Completes two exports. The retention always keeps the newest. @returns the id of the older one */
    async completesTwo(): Promise<string> {
        const attempts = new SiteJobAttempts(this.database, this.clock);
        const jobIds: string[] = [];
        for (let exports = 0; exports < 2; exports += 1) {
            jobIds.push((await this.store.create({ domain: "docs.example.com" })).jobId);
            const claimed = await attempts.claim();
            assert.ok(claimed !== undefined);
            await attempts.complete(claimed, { sha256: "sha", sizeBytes: 1, pageCount: 1 });
        }
        return jobIds[0] ?? "";
    }

    async has(jobId: string): Promise<boolean> {
        return (await this.store.get(jobId)) !== undefined;
    }
}

describeOnBoth("The time that makes things old", (withDatabase) => {
    it("does not contain a year in which the service was off", async () => {
        await withDatabase(async (database) => {
            const served = new Served(database);
            const jobId = await served.completesTwo();
            await served.runs(hour);
            served.now += year;
            await served.runs(hour);
            assert.equal(await served.has(jobId), true);
            assert.match(
                served.log.join("\n"),
                /^No old jobs were removed for 8760 hours: the service or its database/,
            );
        });
    });

    it("continues after the service was off: what it keeps for 9 days is removed after 9 days in which it ran", async () => {
        await withDatabase(async (database) => {
            const served = new Served(database);
            const jobId = await served.completesTwo();
            await served.runs(5 * day, hour);
            served.now += year;
            await served.runs(3.9 * day, hour);
            assert.equal(await served.has(jobId), true);
            await served.runs(0.2 * day, hour);
            assert.equal(await served.has(jobId), false);
        });
    });

    it("contains an outage of less than an hour", async () => {
        await withDatabase(async (database) => {
            let now = start;
            const observed = new ObservedTime(database, () => now);
            await observed.observe();
            now += 59 * minute;
            assert.equal(await observed.observe(), 0);
            assert.equal(await observed.ago(30 * minute), now - 30 * minute);
        });
    });

    it("ends with the last observation until the next one", async () => {
        await withDatabase(async (database) => {
            let now = start;
            const observed = new ObservedTime(database, () => now);
            await observed.observe();
            now += year;
            assert.equal(await observed.ago(day), start - day);
            assert.equal(await observed.observe(), year);
            assert.equal(await observed.ago(day), start - day);
        });
    });

    it("counts once if two processes observe it at the same time after a silence", async () => {
        await withDatabase(async (database) => {
            let now = start;
            const processes = [0, 1, 2].map((later) => new ObservedTime(database, () => now + later));
            for (let round = 0; round < 10; round += 1) {
                await Promise.all(processes.map((each) => each.observe()));
                now += 2 * hour;
            }
            const spans = await database.all("SELECT began_at FROM observed_times");
            assert.equal(spans.length, 10);
        });
    });

    it("is all time before the first observation", async () => {
        await withDatabase(async (database) => {
            const observed = new ObservedTime(database, () => start);
            assert.equal(await observed.ago(day), start - day);
            assert.equal(await observed.observe(), 0);
            assert.equal(await observed.ago(day), start - day);
        });
    });

    it("ignores a clock that jumps a year ahead and back: nothing is removed, then or later", async () => {
        await withDatabase(async (database) => {
            const served = new Served(database);
            const jobId = await served.completesTwo();
            await served.runs(hour);
            served.now += year;
            await served.runs(3 * hour);
            assert.equal(await served.has(jobId), true);
            served.now -= year;
            await served.runs(8 * day, hour);
            assert.equal(await served.has(jobId), true);
            await served.runs(1.1 * day, hour);
            assert.equal(await served.has(jobId), false);
        });
    });

    it("ignores a clock that jumps a year back and ahead again", async () => {
        await withDatabase(async (database) => {
            const served = new Served(database);
            const jobId = await served.completesTwo();
            await served.runs(hour);
            served.now -= year;
            await served.runs(3 * hour);
            served.now += year;
            await served.runs(8 * day, hour);
            assert.equal(await served.has(jobId), true);
        });
    });

    it("protects jobs whose links work again when a clock has returned", async () => {
        await withDatabase(async (database) => {
            const served = new Served(database);
            const jobId = await served.completesTwo();
            await served.runs(hour);
            await served.store.markLinked(jobId);
            served.now += year;
            const linkedSince = await new ObservedTime(database, served.clock).ago(hour);
            const limits = { keepJobs: 1, unusedBefore: 0, linkedSince };
            assert.equal(await served.store.removeUnused(limits, () => Promise.resolve()), 0);
        });
    });

    it("makes keys of starts old: after a year off, a repeated start finds its job", async () => {
        await withDatabase(async (database) => {
            const served = new Served(database);
            const request = { scope: "docs.example.com", key: "a", started: {} };
            const work = { start: () => Promise.resolve("se_1"), hasJob: () => Promise.resolve(true) };
            await served.runs(hour);
            assert.equal((await served.keys.once(request, work)).isReplayed, false);
            served.now += year;
            assert.equal((await served.keys.once(request, work)).isReplayed, true);
            await served.runs(8 * day, hour);
            assert.equal((await served.keys.once(request, work)).isReplayed, false);
        });
    });

    it("does not let a clock that was set back block what it wrote", async () => {
        await withDatabase(async (database) => {
            const served = new Served(database);
            const attempts = new SiteJobAttempts(database, served.clock);
            const project = { repository: "https://git.example.com/acme/docs.git" };
            served.now += year;
            await assert.rejects(served.store.whileUnused(["sha"], () => Promise.reject(new Error("no bucket"))));
            await served.agentJobs.create("docs", project, "Improve the docs.");
            served.now -= year;
            await served.store.create({ domain: "docs.example.com" });
            const claimed = await attempts.claim();
            assert.ok(claimed !== undefined);
            assert.equal(await attempts.announce(claimed, "sha"), true);
            assert.deepEqual(await served.agentJobs.promptsSince("docs", served.now - hour), []);
        });
    });

    it("does not list a worker that has not reported since a clock was set back", async () => {
        await withDatabase(async (database) => {
            let now = start + year;
            const workers = new Workers(database, () => now);
            const worker = { kind: "export", concurrency: 1, startedAt: new Date(start) } as const;
            await workers.report({ ...worker, id: "wk_dead" });
            await workers.report({ ...worker, id: "wk_alive" });
            now = start;
            await workers.report({ ...worker, id: "wk_alive" });
            assert.deepEqual(
                (await workers.list()).map(({ id }) => id),
                ["wk_alive"],
            );
            assert.equal((await database.all("SELECT 1 AS found FROM workers")).length, 1);
        });
    });

    it("ends sessions that began under a clock that was set back", async () => {
        await withDatabase(async (database) => {
            let now = start + year;
            const sessions = new SessionRecords(database, () => now);
            const session = { name: "ada", ownerId: null, address: null, content: "{}", forMs: 8 * hour };
            const token = await sessions.add(session);
            assert.equal((await sessions.find([token])).size, 1);
            now -= minute;
            assert.equal((await sessions.find([token])).size, 1);
            now = start;
            assert.equal((await sessions.find([token])).size, 0);
        });
    });
});
