import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { postgresPrograms } from "../../service/support/postgres.js";
import { Cluster, domains, endsWithinMs, type Part } from "./support/cluster.js";

/** 100 with CLUSTER_KILLS=100. */
const kills = Number(process.env["CLUSTER_KILLS"] ?? "4");
const jobs = "/v1/static-export/jobs";

/** Every part is killed in turn, workers most often. */
const victims = {
    folder: ["worker 1", "api", "worker 2", "postgres"],
    bucket: ["worker 1", "storage", "worker 2", "postgres", "worker 1", "api"],
} as const satisfies Record<string, readonly Part[]>;

for (const storage of ["folder", "bucket"] as const) {
    const how = storage === "folder" ? "and one data folder" : "a bucket and no shared folder";
    describe(`A service, two workers and PostgreSQL, ${how}, of which one is killed ${kills} times`, function () {
        this.timeout(240_000 + kills * 30_000);

        before(function () {
            if (postgresPrograms() === undefined) {
                this.skip();
            }
        });

        it("end every job once, with a whole bundle, and leave no bundle that no job has", async () => {
            await withCluster(storage, async (cluster) => {
                const jobIds = await startAndKill(cluster, victims[storage]);
                assert.equal(new Set(jobIds).size, kills * domains.length, "a repeated start found its job");
                const digests = await assertWhole(cluster, jobIds);
                if (storage === "bucket") {
                    await assertOnlyRecorded(cluster, digests);
                }
                assert.deepEqual(await cluster.stored(), [...digests].sort());
            });
        });
    });
}

async function withCluster(storage: "folder" | "bucket", use: (cluster: Cluster) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "killed-cluster-"));
    let cluster: Cluster | undefined;
    try {
        cluster = await Cluster.start(folder, storage);
        await use(cluster);
    } finally {
        await cluster?.stop();
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
}

/** Starts a job of each domain, and kills a part; again and again. */
async function startAndKill(cluster: Cluster, order: readonly Part[]): Promise<string[]> {
    const jobIds: string[] = [];
    for (let count = 0; count < kills; count += 1) {
        for (const domain of domains) {
            const wanted = { domain, version: String(count) };
            const { jobId } = await cluster.answer("POST", jobs, wanted, `${domain}-${count}`);
            jobIds.push(String(jobId));
        }
        // Spread over what a job does, from its first moment to its last.
        await delay(300 + (count / kills) * 2500);
        const victim = order[count % order.length] as Part;
        await cluster.kill(victim);
        await cluster.resume(victim);
    }
    return jobIds;
}

/** Downloads every bundle. @returns their digests */
async function assertWhole(cluster: Cluster, jobIds: readonly string[]): Promise<Set<string>> {
    const digests = new Set<string>();
    const outcomes = new Map<string, string>();
    for (const jobId of jobIds) {
        const job = await endOf(cluster, jobId);
        // A job whose worker was killed three times is not run again, and says so.
        if (job["status"] === "failed") {
            assert.match(String(job["error"]), /^The service ended 3 times while this job ran;/, cluster.log());
            continue;
        }
        outcomes.set(jobId, JSON.stringify(job));
        const { bundleUrl, sizeBytes }: Record<string, unknown> = await cluster.answer(
            "POST",
            `${jobs}/${jobId}/bundle`,
        );
        const bytes: Buffer = Buffer.from(await (await fetch(String(bundleUrl))).arrayBuffer());
        assert.equal(bytes.length, sizeBytes);
        digests.add(createHash("sha256").update(bytes).digest("hex"));
    }
    assert.ok(outcomes.size > jobIds.length / 2, cluster.log());
    for (const [jobId, outcome] of outcomes) {
        const later = await cluster.answer("GET", `${jobs}/${jobId}`);
        assert.equal(JSON.stringify(later), outcome);
        const logged = cluster
            .log()
            .split(`Export job ${jobId} of `)
            .filter((line) => /^\S+ completed:/.test(line));
        // The log of a worker that was killed may lack the line of what it had stored.
        assert.ok(logged.length <= 1, cluster.log());
    }
    return digests;
}

/** What is in the bucket stands in the database; what no job has is gone once the age floor is over. */
async function assertOnlyRecorded(cluster: Cluster, digests: Set<string>): Promise<void> {
    const rows = await cluster.sql<{ sha256: string }>("SELECT sha256 FROM stored_bundles");
    const recorded = new Set(rows.map(({ sha256 }) => sha256));
    assert.deepEqual(
        (await cluster.stored()).filter((sha256) => !recorded.has(sha256)),
        [],
    );
    await cluster.sql("UPDATE stored_bundles SET recorded_at = 0");
    // A worker removes what is old after each job; `fetch` follows the redirect to the storage.
    const exported = await cluster.client(["export", "--domain", "a.example.com", "--output", "exported", "--json"]);
    assert.equal(exported.exitCode, 0, exported.stderr);
    digests.add((JSON.parse(exported.stdout) as { sha256: string }).sha256);
    for (const giveUpAt = performance.now() + endsWithinMs; performance.now() < giveUpAt; await delay(100)) {
        if ((await cluster.stored()).length === digests.size) {
            return;
        }
    }
    throw new Error(`The bucket has other bundles than the jobs.\n${cluster.log()}`);
}

async function endOf(cluster: Cluster, jobId: string): Promise<Record<string, unknown>> {
    for (const giveUpAt = performance.now() + endsWithinMs; performance.now() < giveUpAt; await delay(200)) {
        const job = await cluster.answer("GET", `${jobs}/${jobId}`);
        if (["completed", "failed"].includes(String(job["status"]))) {
            return job;
        }
    }
    throw new Error(`Job ${jobId} does not end.\n${cluster.log()}`);
}
