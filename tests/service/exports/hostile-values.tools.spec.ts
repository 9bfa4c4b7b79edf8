import assert from "node:assert/strict";
import fc from "fast-check";
import { BuildLog } from "../../../service/src/builds/build-log.js";
import { BuildProgress } from "../../../service/src/builds/build-progress.js";
import { RefusedValueError, type ServiceDatabase } from "../../../service/src/database/database.js";
import { LiveProgress } from "../../../service/src/exports/live-progress.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { type SiteJob } from "../../../service/src/exports/site-job.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { JobHistory } from "../../../service/src/history/job-history.js";
import { JobLogs } from "../../../service/src/jobs/job-log.js";
import { scaled } from "../../scale.js";
import { describeOnBoth } from "../database/databases.js";
import { hostileDigits, hostileText } from "../support/hostile-text.js";
import { domain } from "../support/running-service.js";

const numRuns = scaled({ short: 60, long: 400 });

const line = fc.oneof(
    hostileText,
    hostileDigits.map((count) => `Wrote ${count} files`),
    hostileDigits.map((count) => `${count} page(s) built`),
    hostileDigits.map((count) => `Creating ${count} pages`),
    fc.tuple(hostileDigits, hostileDigits).map(([done, total]) => `static pages (${done}/${total}) ${done}%`),
);

interface Parts {
    store: SiteJobStore;
    attempts: SiteJobAttempts;
    history: JobHistory;
}

function partsOf(database: ServiceDatabase): Parts {
    const live = new LiveProgress(Date.now);
    const logs = new JobLogs(Date.now);
    return {
        store: new SiteJobStore(database, Date.now, live),
        attempts: new SiteJobAttempts(database, Date.now, live, { logs }),
        history: new JobHistory(database, live, logs),
    };
}

async function claim({ attempts }: Parts): Promise<SiteJob> {
    const job = await attempts.claim();
    assert.ok(job);
    return job;
}

const everything = { kind: "export", sites: null, limit: 100 } as const;

describeOnBoth("A job whose builder and exporter write hostile text and numbers", (withDatabase) => {
    it("stores its heartbeat and its outcome, and is listed", async function () {
        this.timeout(numRuns * 500 + 30_000);
        await withDatabase(async (database) => {
            const parts = partsOf(database);
            const { store, attempts, history } = parts;
            const numbers = fc.double();
            await fc.assert(
                fc.asyncProperty(
                    fc.array(line, { minLength: 1, maxLength: 8 }),
                    fc.tuple(numbers, numbers),
                    fc.boolean(),
                    async (lines, [progress, pageCount], isFailed) => {
                        const { jobId } = await store.create({ domain });
                        const job = await claim(parts);
                        const reader = new BuildProgress();
                        const log = new BuildLog([], (each) => {
                            attempts.note(job, each);
                            const read = reader.read(each);
                            if (read !== undefined) {
                                attempts.reportProgress(job, read);
                            }
                        });
                        lines.forEach((each) => log.addOutput(Buffer.from(`${each}\n`)));
                        assert.equal(await attempts.tick(job), "wanted");
                        attempts.reportProgress(job, { progress, pageCount });
                        assert.equal(await attempts.tick(job), "wanted");
                        const warning = { kind: "link", file: lines[0] ?? "", reason: lines.join("\n") };
                        const warnings = { count: 1, countByKind: { link: 1 }, first: [warning] };
                        const bundle = { pageCount, sizeBytes: 1, sha256: "a".repeat(64), warnings };
                        await (isFailed ? attempts.fail(job, "It failed.", warnings) : attempts.complete(job, bundle));
                        const listed = (await history.list(everything)).jobs.find((each) => each.jobId === jobId);
                        assert.equal(listed?.status, isFailed ? "failed" : "completed");
                        assert.ok(Number.isSafeInteger(listed.pageCount) && listed.pageCount >= 0);
                        const stored = (await history.details(jobId))?.log ?? [];
                        assert.ok(stored.every(({ message }) => !/[^\P{C}\t]/u.test(message)));
                    },
                ),
                { numRuns, endOnFailure: true },
            );
        });
    });

    it("is listed and runs even if an earlier release has stored a number that is too large", async () => {
        await withDatabase(async (database) => {
            const parts = partsOf(database);
            const { jobId } = await parts.store.create({ domain });
            await database.run(
                `UPDATE static_export_jobs SET page_count = 1000000000000000000, warnings = '{', log = '{',
                 commit_details = 'x' WHERE job_id = :jobId`,
                { jobId },
            );
            const { jobs } = await parts.history.list(everything);
            assert.deepEqual(
                jobs.map((job) => [job.jobId, job.pageCount]),
                [[jobId, 1_000_000_000]],
            );
            assert.deepEqual((await parts.history.details(jobId))?.log, []);
            assert.equal((await claim(parts)).jobId, jobId);
        });
    });
});

describeOnBoth("A value that no column can contain", (withDatabase) => {
    for (const [what, value, reason] of [
        ["NUL", "a\0b", /^The request contains the character NUL, /],
        ["a fraction", 0.5, /^The value of given /],
        ["a huge number", 1e31, /^The value of given /],
    ] as const) {
        it(`is refused as a value, without a word about the statement: ${what}`, async () => {
            await withDatabase(async (database) => {
                await assert.rejects(
                    database.get("SELECT 1 AS found WHERE :given = :given", { given: value }),
                    (error: Error) => error instanceof RefusedValueError && reason.test(error.message),
                );
            });
        });
    }

    it("is refused in the same way if only the database finds it", async () => {
        await withDatabase(async (database) => {
            const { store } = partsOf(database);
            const { jobId } = await store.create({ domain });
            await assert.rejects(
                database.run("UPDATE static_export_jobs SET page_count = :text WHERE job_id = :jobId", {
                    text: "many",
                    jobId,
                }),
                (error: Error) => error instanceof RefusedValueError && error.statusCode === 400,
            );
        });
    });
});
