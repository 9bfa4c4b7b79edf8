import assert from "node:assert/strict";
import fc from "fast-check";
import { StalledJobs } from "../../../service/src/jobs/stalled-jobs.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { type SiteJob, type SiteJobKind } from "../../../service/src/exports/site-job.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { describeOnBoth } from "../database/databases.js";
import { scaled } from "../../scale.js";

const schedules = scaled({ short: 100, long: 1000 });
const deadAfterMs = 35_000;
const domains = ["a.example.com", "b.example.com"];

const keys = [{ queuedBy: "ak_1" }, { queuedBy: "ak_2" }, { queuedBy: "ak_3" }] as const;

type Step =
    | { do: "create"; domain: number; kind: SiteJobKind; version: string; key: number }
    | { do: "cancel" }
    | { do: "claim" | "tick" | "fetch" | "complete" | "fail" | "putBack"; worker: number }
    | { do: "sweep"; worker: number; laterMs: number };

const worker = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
        do: fc.constant("create" as const),
        domain: fc.nat({ max: 1 }),
        kind: fc.constantFrom("export" as const, "update" as const),
        version: fc.constantFrom("1", "1", "2"),
        key: fc.nat({ max: 2 }),
    }),
    fc.record({ do: fc.constant("cancel" as const) }),
    fc.record({ do: fc.constant("claim" as const), worker }),
    fc.record({
        do: fc.constantFrom(...(["tick", "fetch", "fetch", "complete", "complete", "fail", "putBack"] as const)),
        worker,
    }),
    fc.record({ do: fc.constant("sweep" as const), worker, laterMs: fc.constantFrom(1000, 20_000, 40_000) }),
);

/** A job of the model, which the spec compares with the database. */
interface ModelJob {
    kind: SiteJobKind;
    /** The commit that the job's first fetch has recorded. */
    commit: string | undefined;
    status: string;
    attempt: number;
    starts: number;
    ticks: number;
    domain: string;
    version: string | undefined;
    owner: (typeof keys)[number];
    isCancelled: boolean;
    /** The job whose run also completes this job. */
    answeredBy: string | undefined;
}

describeOnBoth("Jobs under random schedules of three workers that may stall and come back", (withDatabase) => {
    it(`end once, run one per domain, take only current writes, publish the newest update (${schedules} schedules)`, async function () {
        this.timeout(60_000 + schedules * 200);
        await withDatabase(async (database) => {
            await fc.assert(
                fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
                    await database.run("DELETE FROM static_export_jobs WHERE sequence > :none", { none: 0 });
                    await database.run("DELETE FROM export_turns WHERE turn > :none", { none: 0 });
                    const store = new SiteJobStore(database, Date.now);
                    const attempts = new SiteJobAttempts(database, Date.now);
                    let nowMs = 0;
                    const sweepers = [0, 1, 2].map(
                        () =>
                            new StalledJobs({
                                kind: "Export job",
                                attempts,
                                deadAfterMs,
                                checkMs: deadAfterMs,
                                elapsedMs: () => nowMs,
                                logger: silentLogger,
                            }),
                    );
                    /** The run that each worker assumes it still has. */
                    const held: (SiteJob | undefined)[] = [];
                    const model = new Map<string, ModelJob>();
                    /** Keys and domains in the order in which they were last served. */
                    let served: string[] = [];

                    for (const each of steps) {
                        if (each.do === "create") {
                            const domain = domains[each.domain] as string;
                            const update = { domain, projectId: domain, startedBy: "api", isDone: false };
                            const { kind } = each;
                            const owner = keys[each.key] as ModelJob["owner"];
                            const version = kind === "update" ? undefined : each.version;
                            const { jobId } = await (kind === "update"
                                ? store.createUpdate({ ...update, ...owner })
                                : store.create({ domain, version, ...owner }));
                            const job = { status: "queued", attempt: 0, starts: 0, ticks: 0, domain, kind, version };
                            const unset = { commit: undefined, isCancelled: false, answeredBy: undefined };
                            model.set(jobId, { ...job, owner, ...unset });
                        } else if (each.do === "cancel") {
                            await cancel(store, [...model].at(-1));
                        } else if (each.do === "sweep") {
                            nowMs += each.laterMs;
                            await sweepers[each.worker]?.check();
                            await followSweep(model, database);
                        } else if (each.do === "claim") {
                            held[each.worker] = await attempts.claim();
                            const expected = nextOf(model, served);
                            assert.equal(held[each.worker]?.jobId, expected);
                            const job = expected === undefined ? undefined : model.get(expected);
                            if (expected !== undefined && job !== undefined) {
                                Object.assign(job, {
                                    status: "running",
                                    attempt: job.attempt + 1,
                                    starts: job.starts + 1,
                                    ticks: 0,
                                });
                                answerEqualJobs(model, expected, job);
                                const now = [job.owner.queuedBy, job.domain];
                                served = [...served.filter((name) => !now.includes(name)), ...now];
                                assert.equal(held[each.worker]?.attempt, job.attempt);
                                assert.equal(held[each.worker]?.sourceRef, job.commit ?? null);
                            }
                        } else {
                            const run = held[each.worker];
                            const job = run === undefined ? undefined : model.get(run.jobId);
                            if (run !== undefined && job !== undefined) {
                                await act(each.do, attempts, run, { job, model });
                            }
                        }
                        await assertSame(model, database);
                        await assertPublished(model, attempts);
                    }
                }),
                { numRuns: schedules },
            );
        });
    });

    it("publish the newest update, even if an earlier one was put back and ends later", async () => {
        await withDatabase(async (database) => {
            const store = new SiteJobStore(database, Date.now);
            const attempts = new SiteJobAttempts(database, Date.now);
            const update = { domain: "a.example.com", projectId: "docs", startedBy: "api", isDone: false };
            const earlier = await store.createUpdate({ ...update, ...keys[0] });
            const newest = await store.createUpdate({ ...update, ...keys[1] });
            await attempts.putBack((await attempts.claim())!);
            for (const { jobId } of [newest, earlier]) {
                const run = (await attempts.claim())!;
                assert.equal(run.jobId, jobId);
                await attempts.recordSource(run, `commit of ${jobId}`);
                await attempts.complete(run, { pageCount: 1, sizeBytes: null, sha256: null });
                assert.equal(await attempts.findPublishedCommit("a.example.com"), `commit of ${newest.jobId}`);
            }
        });
    });
});

/**
 * Returns the next queued job of a domain without a running job: the key that was served longest ago is first, then the
 * domain that was served longest ago. Jobs that share another job's run wait for that run.
 */
function nextOf(model: ReadonlyMap<string, ModelJob>, served: readonly string[]): string | undefined {
    const all = [...model];
    const busy = all.filter(([, { status }]) => status === "running").map(([, { domain }]) => domain);
    const turn = (name: string): number => served.indexOf(name);
    const isAnswered = ({ answeredBy = "" }: ModelJob): boolean =>
        ["queued", "running"].includes(model.get(answeredBy)?.status ?? "");
    return all
        .filter(([, job]) => job.status === "queued" && !busy.includes(job.domain) && !isAnswered(job))
        .sort(
            ([, { owner, domain }], [, other]) =>
                turn(owner.queuedBy) - turn(other.owner.queuedBy) || turn(domain) - turn(other.domain),
        )[0]?.[0];
}

/** Lets the first run of an export also complete all equal exports that wait and have not run yet. */
function answerEqualJobs(model: ReadonlyMap<string, ModelJob>, jobId: string, { kind, ...run }: ModelJob): void {
    for (const job of model.values()) {
        const isEqual = job.kind === "export" && job.domain === run.domain && job.version === run.version;
        if (kind === "export" && run.attempt === 1 && job.status === "queued" && job.attempt === 0 && isEqual) {
            job.answeredBy = jobId;
        }
    }
}

/** Cancels a job: a queued job ends, and a running job ends when its run stops: nothing completes it. */
async function cancel(store: SiteJobStore, [jobId, job]: [string?, ModelJob?] = []): Promise<void> {
    if (jobId === undefined || job === undefined) {
        return;
    }
    const isOver = job.status === "completed" || (job.status === "failed" && !job.isCancelled);
    assert.equal((await store.cancel(jobId, "cancelled")) === undefined, isOver);
    if (!isOver) {
        Object.assign(job, { isCancelled: true, status: job.status === "queued" ? "failed" : job.status });
    }
}

async function act(
    what: "tick" | "fetch" | "complete" | "fail" | "putBack",
    attempts: SiteJobAttempts,
    run: SiteJob,
    { job, model }: { job: ModelJob; model: ReadonlyMap<string, ModelJob> },
): Promise<void> {
    const isCurrent = job.attempt === run.attempt;
    const mayWrite = isCurrent && job.status === "running";
    if (what === "tick") {
        assert.equal(await attempts.tick(run), !mayWrite ? "lost" : job.isCancelled ? "unwanted" : "wanted");
        job.ticks += mayWrite ? 1 : 0;
    } else if (what === "fetch") {
        // Only the first run that fetches determines the commit.
        if (run.sourceRef === null) {
            const commit = `${run.jobId} ${run.attempt}`;
            assert.equal(await attempts.recordSource(run, commit), mayWrite);
            job.commit = mayWrite ? commit : job.commit;
        }
    } else if (what === "putBack") {
        assert.equal(await attempts.putBack(run), !mayWrite ? "lost" : job.isCancelled ? "cancelled" : "requeued");
        Object.assign(job, mayWrite ? { status: job.isCancelled ? "failed" : "queued", starts: job.starts - 1 } : {});
    } else {
        const status = what === "complete" ? "completed" : "failed";
        const mayEnd = mayWrite && !job.isCancelled;
        const stored =
            what === "complete"
                ? await attempts.complete(run, { pageCount: run.attempt, sizeBytes: 1, sha256: String(run.attempt) })
                : await attempts.fail(run, `attempt ${run.attempt}`);
        // Storing the same outcome again must succeed, because a run retries a write whose response was lost. A job that
        // was cancelled did not get its outcome from the run.
        assert.equal(stored, mayEnd || (isCurrent && job.status === status && !job.isCancelled));
        const ended = !mayEnd
            ? []
            : [...model.values()].filter((each) => each.answeredBy === run.jobId && each.status === "queued");
        [...(mayEnd ? [job] : []), ...ended].forEach((each) => (each.status = status));
    }
}

/** Asserts that exports use the commit of the newest successful update, regardless of which update ended last. */
async function assertPublished(model: ReadonlyMap<string, ModelJob>, attempts: SiteJobAttempts): Promise<void> {
    for (const domain of domains) {
        const updates = [...model.values()].filter((job) => job.domain === domain && job.kind === "update");
        const newest = updates.filter(({ status }) => status === "completed").at(-1);
        assert.equal(await attempts.findPublishedCommit(domain), newest?.commit);
    }
}

/** Updates the model after a sweep, which may end attempts that had no tick since its last check. */
async function followSweep(model: ReadonlyMap<string, ModelJob>, database: ServiceDatabase): Promise<void> {
    const rows = await database.all<{ job_id: string; status: string }>(
        "SELECT job_id, status FROM static_export_jobs",
    );
    for (const [jobId, job] of model) {
        const status = rows.find((row) => row.job_id === jobId)?.status;
        if (status !== job.status) {
            assert.equal(job.status, "running");
            assert.equal(status, job.isCancelled ? "failed" : "queued");
            job.status = status;
        }
    }
}

async function assertSame(model: ReadonlyMap<string, ModelJob>, database: ServiceDatabase): Promise<void> {
    const rows = await database.all("SELECT job_id, status, attempt FROM static_export_jobs ORDER BY sequence");
    const expected = [...model].map(([job_id, { status, attempt }]) => ({ job_id, status, attempt }));
    assert.deepEqual(
        rows.map((row) => ({ ...(row as object) })),
        expected,
    );
}
