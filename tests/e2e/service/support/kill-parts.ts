import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endsWithinMs, type ServiceParts } from "./service-parts.js";
import { withLog } from "./with-log.js";
import { waitUntil } from "../../../wait-until.js";

const jobs = "/v1/static-export/jobs";

/** From now on, the database itself records each end of a job. */
export const noteEnds = `
    CREATE TABLE spec_ends (job_id TEXT NOT NULL);
    CREATE FUNCTION spec_note_end() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN INSERT INTO spec_ends VALUES (NEW.job_id); RETURN NULL; END $$;
    CREATE TRIGGER spec_note_end AFTER UPDATE OF status ON static_export_jobs FOR EACH ROW
        WHEN (NEW.status IN ('completed', 'failed')) EXECUTE FUNCTION spec_note_end();`;

export interface Kills<Part> {
    count: number;
    /** The total number of jobs to start. @default one of each domain before each kill */
    jobs?: number;
    /** The sequence of parts to kill, which repeats. */
    order: readonly Part[];
    /** The part that accepts clients' connections; while any other part is killed, every request is answered. */
    cutsConnections?: Part;
    /** Whether the service stores archives in a bucket, and records each archive in the database. */
    hasBucket: boolean;
}

/**
 * Kills parts of a service while it exports, and asserts that every job ended once, that every archive is whole, and
 * that no other archives are stored.
 */
export async function killWhileExporting<Part extends string>(
    parts: ServiceParts<Part>,
    kills: Kills<Part>,
): Promise<void> {
    await withLog(parts, async () => {
        await parts.sql(noteEnds);
        const earlier = await parts.stored();
        const jobIds: string[] = [];
        await whilePolling(parts, jobIds, () => startAndKill(parts, kills, jobIds));
        assert.equal(new Set(jobIds).size, jobIds.length, "no job was started twice");
        const digests = new Set([...earlier, ...(await assertWhole(parts, jobIds))]);
        if (kills.hasBucket) {
            await assertOnlyRecorded(parts, digests);
        }
        assert.deepEqual(await parts.stored(), [...digests].sort());
    });
}

/** During `work`, a client repeatedly requests the status of the first job, and the job's link after its completion. */
async function whilePolling(
    parts: ServiceParts<string>,
    jobIds: readonly string[],
    work: () => Promise<void>,
): Promise<void> {
    let isOver = false;
    const poll = async (): Promise<void> => {
        for (; !isOver; await delay(100)) {
            const [jobId] = jobIds;
            const job = jobId === undefined ? undefined : await parts.ask("GET", `${jobs}/${jobId}`);
            if (job?.["status"] === "completed") {
                await parts.ask("POST", `${jobs}/${jobId}/bundle`);
            }
        }
    };
    await Promise.all([work().finally(() => (isOver = true)), poll()]);
}

/** Repeatedly starts some jobs, and kills a part. */
async function startAndKill<Part extends string>(
    parts: ServiceParts<Part>,
    { count, jobs: jobsInAll, order, cutsConnections }: Kills<Part>,
    jobIds: string[],
): Promise<void> {
    const jobsPerKill = jobsInAll === undefined ? parts.domains.length : Math.ceil(jobsInAll / count);
    const start = async () => {
        const domain = parts.domains[jobIds.length % parts.domains.length];
        const wanted = { domain, version: String(jobIds.length) };
        const { jobId } = await parts.answer("POST", jobs, wanted, `job-${jobIds.length}`);
        jobIds.push(String(jobId));
    };
    for (let killed = 0; killed < count; killed += 1) {
        while (jobIds.length < (killed + 1) * jobsPerKill) {
            await start();
        }
        // The kills are spread across the whole duration of a job.
        await delay(300 + (killed / count) * 2500);
        const victim = order[killed % order.length] as Part;
        await startUntil(parts.kill(victim), start);
        await parts.resume(victim);
        if (victim !== cutsConnections) {
            assert.ok(!parts.unanswered.includes(killed), `a request got no answer while ${victim} was killed`);
        }
        parts.kills = killed + 1;
    }
}

/** Keeps starting exports until the part has been killed, because a worker is killed only during an export. */
async function startUntil(killed: Promise<void>, start: () => Promise<void>): Promise<void> {
    let isKilled = false;
    const starts = async (): Promise<void> => {
        for (await delay(1000); !isKilled; await delay(1000)) {
            await start();
        }
    };
    await Promise.all([killed.finally(() => (isKilled = true)), starts()]);
}

/** Downloads every bundle. @returns their digests */
async function assertWhole(parts: ServiceParts<string>, jobIds: readonly string[]): Promise<Set<string>> {
    const digests = new Set<string>();
    let completed = 0;
    for (const jobId of jobIds) {
        const job = await endOf(parts, jobId);
        // A job whose worker was killed three times does not run again, and its error says so.
        if (job["status"] === "failed") {
            assert.match(String(job["error"]), /^The service ended 3 times while this job ran,/);
            continue;
        }
        completed += 1;
        const { bundleUrl, sizeBytes } = await parts.answer("POST", `${jobs}/${jobId}/bundle`);
        const bytes = Buffer.from(await (await fetch(String(bundleUrl))).arrayBuffer());
        assert.equal(bytes.length, sizeBytes);
        digests.add(createHash("sha256").update(bytes).digest("hex"));
    }
    assert.ok(completed > jobIds.length / 2);
    const rows = await parts.sql<{ job_id: string }>("SELECT job_id FROM spec_ends");
    const ends = rows.map(({ job_id: jobId }) => jobId).filter((jobId) => jobIds.includes(jobId));
    assert.deepEqual(ends.sort(), [...jobIds].sort(), "every job ended once");
    return digests;
}

/**
 * Asserts that the database lists every file in the bucket; files without a job are removed once they are old enough.
 */
async function assertOnlyRecorded(parts: ServiceParts<string>, digests: Set<string>): Promise<void> {
    const rows = await parts.sql<{ sha256: string }>("SELECT sha256 FROM stored_bundles");
    const recorded = new Set(rows.map(({ sha256 }) => sha256));
    assert.deepEqual(
        (await parts.stored()).filter((sha256) => !recorded.has(sha256)),
        [],
    );
    // In most runs no kill leaves a bundle without a job, so one is made: its jobs are gone.
    const [abandoned] = await parts.sql<{ sha256: string }>(
        `DELETE FROM static_export_jobs WHERE sha256 = (SELECT min(sha256) FROM static_export_jobs) RETURNING sha256`,
    );
    assert.ok(abandoned && digests.delete(abandoned.sha256));
    await parts.sql("UPDATE stored_bundles SET recorded_at = 0");
    // Each process looks every minute whether a round of the retention is due, and a round is due after ten minutes.
    await parts.sql("UPDATE retention_rounds SET began_at = 0");
    // The `export` command follows the redirect to the storage.
    digests.add(await exportedByCommand(parts));
    await waitUntil(
        "the bucket has the bundles of the jobs",
        async () => (await parts.stored()).length === digests.size,
        {
            withinMs: endsWithinMs,
        },
    );
}

async function exportedByCommand(parts: ServiceParts<string>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "kill-parts-"));
    try {
        const args = ["export", "--domain", String(parts.domains[0]), "--output", "exported", "--json"];
        const { exitCode, stdout, stderr } = await parts.client(folder, args);
        assert.equal(exitCode, 0, stderr);
        return (JSON.parse(stdout) as { sha256: string }).sha256;
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

/** Polls a job until it ends. */
export async function endOf(parts: ServiceParts<string>, jobId: string): Promise<Record<string, unknown>> {
    const ended = async () => {
        const job = await parts.answer("GET", `${jobs}/${jobId}`);
        return ["completed", "failed"].includes(String(job["status"])) && job;
    };
    return waitUntil(`job ${jobId} ends`, ended, { withinMs: endsWithinMs });
}
