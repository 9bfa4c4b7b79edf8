import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Command, run } from "../../cli/support/command.js";
import { PostgresServer, postgresPrograms } from "../../service/support/postgres.js";

/** 100 with CLUSTER_KILLS=100. */
const kills = Number(process.env["CLUSTER_KILLS"] ?? "5");
const domains = ["a.example.com", "b.example.com", "c.example.com"];
const jobs = "/v1/static-export/jobs";
const adminKey = "admin_kill-key";
const endsWithinMs = 300_000;

type Part = "api" | "worker 1" | "worker 2" | "postgres";
/** Every part is killed in turn, workers twice as often. */
const victims: readonly Part[] = ["worker 1", "api", "worker 2", "postgres", "worker 1", "worker 2"];

/** A service, two workers and their database as processes of this machine, with one data folder. */
class Cluster {
    readonly #folder: string;
    readonly #postgres: PostgresServer;
    readonly #env: Record<string, string>;
    readonly #processes = new Map<Part, Command>();
    readonly #ended: Command[] = [];
    url = "";

    private constructor(folder: string, postgres: PostgresServer, database: string) {
        this.#folder = folder;
        this.#postgres = postgres;
        this.#env = { STATIC_EXPORT_DATABASE_URL: database };
    }

    static async start(folder: string): Promise<Cluster> {
        await mkdir(join(folder, "site"));
        for (let page = 0; page < 60; page += 1) {
            await writeFile(
                join(folder, "site", `page-${page}.md`),
                `# Page ${page}\n\n${"Some **text**.\n\n".repeat(40)}`,
            );
        }
        await writeFile(join(folder, "key"), adminKey, { mode: 0o600 });
        const postgres = await PostgresServer.start();
        const cluster = new Cluster(folder, postgres, await postgres.createDatabase());
        try {
            await cluster.#startProcesses();
            return cluster;
        } catch (error) {
            await cluster.stop();
            throw error;
        }
    }

    async #startProcesses(): Promise<void> {
        // Before the schema: they wait for it.
        this.#spawn("worker 1");
        this.#spawn("worker 2");
        const { exitCode, stderr } = await run(this.#folder, ["migrate"], this.#env);
        assert.equal(exitCode, 0, stderr);
        await this.resume("api");
    }

    async kill(part: Part): Promise<void> {
        if (part === "postgres") {
            await this.#postgres.kill();
            return;
        }
        const command = this.#processes.get(part);
        command?.signal("SIGKILL");
        await command?.exited;
    }

    async resume(part: Part): Promise<void> {
        if (part === "postgres") {
            await this.#postgres.resume();
            return;
        }
        const command = this.#spawn(part);
        if (part === "api") {
            this.url = await command.serves();
        }
    }

    /** Undefined while the service or its database cannot be reached. */
    async ask(method: string, path: string, body?: object, key?: string): Promise<Record<string, unknown> | undefined> {
        try {
            const response = await fetch(this.url + path, {
                method,
                headers: {
                    authorization: `Bearer ${adminKey}`,
                    ...(body === undefined ? {} : { "content-type": "application/json" }),
                    ...(key === undefined ? {} : { "idempotency-key": key }),
                },
                ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            });
            if (response.status === 503) {
                assert.ok(response.headers.has("retry-after"));
                return undefined;
            }
            const text = await response.text();
            assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}\n${this.log()}`);
            return JSON.parse(text) as Record<string, unknown>;
        } catch (error) {
            if (error instanceof TypeError) {
                return undefined;
            }
            throw error;
        }
    }

    /** Repeats a request as a client does, until it is answered. */
    async answer(method: string, path: string, body?: object, key?: string): Promise<Record<string, unknown>> {
        for (const giveUpAt = performance.now() + endsWithinMs; performance.now() < giveUpAt; await delay(100)) {
            const answer = await this.ask(method, path, body, key);
            if (answer !== undefined) {
                return answer;
            }
        }
        throw new Error(`No answer to ${method} ${path}.\n${this.log()}`);
    }

    log(): string {
        return [...this.#ended, ...this.#processes.values()].map(({ stdout, stderr }) => stdout + stderr).join("\n");
    }

    async stop(): Promise<void> {
        for (const part of this.#processes.keys()) {
            await this.kill(part);
        }
        await this.#postgres.stop();
    }

    #spawn(part: Part): Command {
        const earlier = this.#processes.get(part);
        if (earlier !== undefined) {
            this.#ended.push(earlier);
        }
        const sites = domains.flatMap((domain) => ["--site", `${domain}=${join(this.#folder, "site")}`]);
        const shared = [...sites, "--data-dir", join(this.#folder, "data")];
        const args =
            part === "api"
                ? ["serve", ...shared, "--port", "0", "--admin-key-file", join(this.#folder, "key")]
                : ["work", ...shared, "--tick-seconds", "1"];
        const command = new Command(args, { cwd: this.#folder, env: this.#env });
        this.#processes.set(part, command);
        return command;
    }
}

describe(`A service, two workers and PostgreSQL, of which one is killed ${kills} times while they export`, function () {
    this.timeout(240_000 + kills * 30_000);

    before(function () {
        if (postgresPrograms() === undefined) {
            this.skip();
        }
    });

    it("end every job once, with a whole bundle, and leave no bundle that no job has", async () => {
        const folder = await mkdtemp(join(tmpdir(), "killed-cluster-"));
        let cluster: Cluster | undefined;
        try {
            cluster = await Cluster.start(folder);
            const jobIds: string[] = [];
            for (let count = 0; count < kills; count += 1) {
                for (const domain of domains) {
                    const wanted = { domain, version: String(count) };
                    const { jobId } = await cluster.answer("POST", jobs, wanted, `${domain}-${count}`);
                    jobIds.push(String(jobId));
                }
                // Spread over what a job does, from its first moment to its last.
                await delay(300 + (count / kills) * 2500);
                const victim = victims[count % victims.length] as Part;
                await cluster.kill(victim);
                await cluster.resume(victim);
            }
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
            assert.equal(new Set(jobIds).size, kills * domains.length, "a repeated start found its job");
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
            const stored = (await readdir(join(folder, "data", "bundles"))).map((name) => name.replace(".tar.gz", ""));
            assert.deepEqual(stored.sort(), [...digests].sort());
        } finally {
            await cluster?.stop();
            await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
        }
    });
});

async function endOf(cluster: Cluster, jobId: string): Promise<Record<string, unknown>> {
    for (const giveUpAt = performance.now() + endsWithinMs; performance.now() < giveUpAt; await delay(200)) {
        const job = await cluster.answer("GET", `${jobs}/${jobId}`);
        if (["completed", "failed"].includes(String(job["status"]))) {
            return job;
        }
    }
    throw new Error(`Job ${jobId} does not end.\n${cluster.log()}`);
}
