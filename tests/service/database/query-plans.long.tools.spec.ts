import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { PromptAttempts } from "../../../service/src/agents/prompt-attempts.js";
import { type ServiceDatabase, type SqlClient, type SqlValues } from "../../../service/src/database/database.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { AgentHistory } from "../../../service/src/history/agent-history.js";
import { groupFailures } from "../../../service/src/history/failures.js";
import { JobHistory } from "../../../service/src/history/job-history.js";
import { Workers } from "../../../service/src/history/workers.js";
import { LiveProgress } from "../../../service/src/exports/live-progress.js";
import { JobLogs } from "../../../service/src/jobs/job-log.js";
import { IdempotencyKeys } from "../../../service/src/jobs/idempotency-keys.js";
import { AdminKeys } from "../../../service/src/keys/admin-keys.js";
import { AgentLogs } from "../../../service/src/storage/agent-logs.js";
import { StoredBundles } from "../../../service/src/storage/bundles-in-bucket.js";
import { PageCacheRecords } from "../../../service/src/storage/page-cache-records.js";
import { withFolder } from "../support/running-service.js";
import { itInLong, scaled } from "../../scale.js";
import { describeOnBoth } from "./databases.js";

const rows = scaled({ short: 5000, long: 200_000 });
const domains = Math.min(3000, rows / 10);
/**
 * With few rows, PostgreSQL prefers to read whole tables. If sequential scans are disabled, PostgreSQL reads a whole
 * table only if no index serves a statement.
 */
const hasFewRows = rows < 20_000;
const scaledObject = new URL(
    "../../../charts/static-export-service/templates/worker-scaledobject.yaml",
    import.meta.url,
);

/** Returns SQL for the numbers from 1 to `count`, for either database. */
const numbers = (count: number): string =>
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;

/** The newest 100 jobs are waiting, and about one in a hundred has failed. All other jobs have a bundle. */
const content = [
    `INSERT INTO static_export_jobs (job_id, domain, status, sha256, size_bytes, created_at, updated_at)
     ${numbers(rows)} SELECT 'se_' || n, 'd' || (n % ${domains}) || '.example.com',
        CASE WHEN n > ${rows} - 100 THEN 'queued' WHEN n % 101 = 0 THEN 'failed' ELSE 'completed' END,
        CASE WHEN n % 101 = 0 OR n > ${rows} - 100 THEN NULL ELSE 'sha' || n END, 1000, n, n FROM numbers`,
    `INSERT INTO idempotency_keys (scope, key, request_sha256, job_id, created_at)
     ${numbers(rows)} SELECT 'start', 'k' || n, 'sha', 'se_' || n, n FROM numbers`,
    `INSERT INTO agent_jobs (id, project_id, status, repository, model, created_at, seen_ended_at)
     ${numbers(rows)} SELECT 'aj_' || n, 'p' || (n % 50), CASE WHEN n > ${rows} - 10 THEN 'active' ELSE 'completed' END,
        'r', 'm', n, CASE WHEN n > ${rows} - 10 THEN NULL ELSE 1000 END FROM numbers`,
    `INSERT INTO agent_prompts (job_id, prompt, state, created_at)
     ${numbers(rows)} SELECT 'aj_' || n, '"p"', CASE WHEN n > ${rows} - 10 THEN 'waiting' ELSE 'done' END, n FROM numbers`,
    `INSERT INTO admin_keys (id, name, sha256, scopes, created_at)
     ${numbers(rows)} SELECT 'ak_' || n, 'k' || n, 'sha' || n, '[]', n FROM numbers`,
];
/** Statements that fill the tables that exist only in a shared database. */
const sharedContent = [
    "INSERT INTO stored_bundles SELECT sha256, 1000, 0 FROM static_export_jobs WHERE sha256 IS NOT NULL",
    `INSERT INTO page_caches (domain, file, sha256, size_bytes, recorded_at, is_current)
     ${numbers(rows)} SELECT 'd' || (n % ${domains}) || '.example.com', 'f', 'sha' || n, 1, n, 1 FROM numbers`,
    `INSERT INTO agent_logs (job_id, attempt, recorded_at) ${numbers(rows)} SELECT 'aj_' || n, 1, n FROM numbers`,
];

interface Statement {
    sql: string;
    values: SqlValues | undefined;
    tookMs: number;
}

/** Even a busy machine executes a statement within this time if the statement reads no whole table. */
const maxStatementMs = 1000;

/** Records the statements that a database receives. */
function recording(database: ServiceDatabase, statements: Statement[]): ServiceDatabase {
    const timed = async <T>(sql: string, values: SqlValues | undefined, run: () => Promise<T>): Promise<T> => {
        const beganMs = performance.now();
        try {
            return await run();
        } finally {
            statements.push({ sql, values, tookMs: performance.now() - beganMs });
        }
    };
    const over = (runner: SqlClient): SqlClient => ({
        all: (sql, values) => timed(sql, values, () => runner.all(sql, values)),
        get: (sql, values) => timed(sql, values, () => runner.get(sql, values)),
        run: (sql, values) => timed(sql, values, () => runner.run(sql, values)),
    });
    return {
        ...over(database),
        transaction: (work, lock) => database.transaction((transaction) => work(over(transaction)), lock),
        assertWritable: () => database.assertWritable(),
        close: () => database.close(),
    };
}

interface Step {
    "Node Type"?: string;
    "Relation Name"?: string;
    "Index Name"?: string;
    "Index Cond"?: string;
}

/** Returns the tables and indexes that PostgreSQL's plan reads completely. */
function scannedIn(plan: Step): string[] {
    const { "Node Type": type, "Relation Name": table = "", "Index Name": index = "", "Index Cond": condition } = plan;
    const below = Object.values(plan).flatMap((value: unknown) =>
        typeof value === "object" && value !== null ? scannedIn(value) : [],
    );
    if (type === "Seq Scan") {
        return [table, ...below];
    }
    return type?.includes("Index") === true && condition === undefined ? [index, ...below] : below;
}

type Explain = (statement: Pick<Statement, "sql" | "values">) => Promise<string[]>;

/** Passes to `use` a function that returns the tables and indexes that a statement reads completely. */
async function withExplain(database: ServiceDatabase, use: (explain: Explain) => Promise<void>): Promise<void> {
    if (database instanceof PostgresDatabase) {
        return use(({ sql, values }) =>
            database.transaction(async (transaction) => {
                await transaction.run(`SET LOCAL enable_seqscan = ${hasFewRows ? "off" : "on"}`);
                const explained = await transaction.get<{ "QUERY PLAN": Step }>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
                return scannedIn(explained?.["QUERY PLAN"] ?? {});
            }),
        );
    }
    // Uses a copy, because the service has locked the file.
    await withFolder(async (folder) => {
        const file = join(folder, "copy.sqlite");
        await database.run(`VACUUM INTO '${file}'`);
        const copy = new DatabaseSync(file);
        await use(({ sql, values = {} }) => {
            const steps = copy.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values) as { detail: string }[];
            // Rows of a subquery, whose own steps are further rows of the plan.
            const made = new Set(steps.map(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1]));
            const scans = steps.flatMap(({ detail }) => {
                const name = /^SCAN (?!(?:\d+ )?CONSTANT)(?:\S+ USING .*INDEX )?(\S+)/.exec(detail)?.[1];
                return name === undefined || made.has(name) ? [] : [name];
            });
            return Promise.resolve(scans);
        });
        copy.close();
    });
}

/**
 * The tables and indexes that statements may read completely: tables that have few rows for any number of jobs, and
 * indexes of active jobs.
 */
const small = [
    ...["agent_turns", "export_turns", "bundle_removals", "retention_rounds", "t", "schema_version", "workers"],
    "observed_times",
    // The list of domains that a statement finds itself.
    "site",
    ...["one_running_job_per_domain", "queued_static_export_jobs", "unfinished_static_export_jobs"],
    ...["one_running_prompt_per_job", "waiting_agent_prompts"],
];

/** Executes all statements that requests, runs and metrics execute repeatedly. */
async function runRepeatedPaths(database: ServiceDatabase, isShared: boolean): Promise<void> {
    const clock = (): number => 2 * rows;
    const store = new SiteJobStore(database, clock);
    const attempts = new SiteJobAttempts(database, clock);
    const domain = "d7.example.com";
    const start = async (transaction: SqlClient): Promise<string> => {
        await store.countQueued(domain, transaction);
        return (await store.create({ domain }, transaction)).jobId;
    };
    const keys = new IdempotencyKeys(database, clock, 3 * rows);
    await keys.once({ scope: "start", key: "new", started: {} }, { start, hasJob: () => Promise.resolve(true) });
    await store.createUpdate({ domain, projectId: "p1", startedBy: "ci", isDone: true });
    await store.get("se_1");
    await store.list(domain, 20);
    await store.queue();
    await store.markLinked("se_1");
    await store.rebuild("se_2");
    const run = await attempts.claim();
    assert.ok(run);
    await attempts.tick(run);
    await attempts.recordSource(run, "4f2a");
    await attempts.findPublishedCommit(domain);
    await attempts.announce(run, "sha");
    await attempts.running();
    await attempts.complete(run, { pageCount: 1, sizeBytes: 1, sha256: "sha" });
    await attempts.takeFrom({ ...run, ticks: 9 });

    const agentJobs = new AgentJobStore(database, clock);
    const prompts = new PromptAttempts(database);
    await agentJobs.promptsSince("p1", 2 * rows - 1);
    await agentJobs.addMessage("aj_1", "More.");
    await agentJobs.archive("aj_2");
    await agentJobs.get("p3", "aj_3");
    const prompt = await prompts.claim();
    assert.ok(prompt);
    await prompts.tick(prompt);
    await prompts.running();
    await prompts.recordChange(prompt, { branch: "b", base: "4f2a", commits: ["4f2a"], isFollowUp: false });
    await prompts.finish(prompt, { prLink: null, branch: "b" });
    await agentJobs.queue();

    const logs = new JobLogs(clock);
    const history = new JobHistory(database, new LiveProgress(clock), logs);
    const page = { kind: "export", sites: null, limit: 20 } as const;
    await history.list(page);
    await history.list({ ...page, before: rows / 2 });
    await history.list({ ...page, kind: "update" });
    await history.list({ ...page, statuses: ["failed"] });
    await history.list({ ...page, statuses: ["cancelled"] });
    await history.list({ ...page, error: "the page … cannot be read" });
    await history.list({ ...page, statuses: ["failed"], isUnrepeated: true });
    await history.count({ ...page, statuses: ["failed"] });
    await history.count({ ...page, sites: [domain, "d8.example.com"] });
    await groupFailures(history, ["export", "update"], { sites: null, since: new Date(1) });
    await groupFailures(history, ["export"], { sites: [domain], since: new Date(1), error: "page" });
    await history.list({ ...page, domain });
    await history.list({ ...page, sites: [domain, "d8.example.com"] });
    await history.list({ ...page, queuedBy: "ak_1" });
    await history.list({ ...page, since: new Date(rows - 50), until: new Date(rows - 10) });
    await history.unfinished();
    await history.newestAfter("d1", 50);
    await history.withSequences([1, 2]);
    await history.startedAfter(rows - 2, 50);
    await history.usageOf([domain, "d8.example.com"]);
    await history.findCompletedBefore(domain, "se_500");
    await history.details("se_1");
    await new Workers(database, clock).list();
    const agentHistory = new AgentHistory(database, "/nowhere", undefined);
    await agentHistory.list({ projects: null, limit: 20 });
    await agentHistory.list({ projects: ["p1"], before: { createdAt: rows, id: "aj_9" }, limit: 20 });
    await agentHistory.prompts("aj_1");
    const adminKeys = new AdminKeys(database, clock);
    await adminKeys.find("admin_1");
    await adminKeys.get("ak_1");
    await adminKeys.namesOf(["ak_1"]);
    await adminKeys.list({ limit: 50 }, () => true);
    await adminKeys.list({ limit: 50, before: { createdAt: rows / 2, id: "ak_9" } }, () => true);
    await adminKeys.madeBy("ak_1");

    if (isShared) {
        const caches = new PageCacheRecords(database, clock);
        const file = { domain, file: "f", sha256: "new", sizeBytes: 1 };
        await caches.record(file);
        await caches.replace(domain, [file]);
        await caches.current(domain);
        await new StoredBundles(database, clock).record("new", 1);
        const bucket = {
            put: () => Promise.resolve(),
            get: () => Promise.resolve(),
            remove: () => Promise.resolve(),
            sizeOf: () => Promise.resolve(0),
            read: () => Promise.resolve(Buffer.alloc(0)),
            addressOf: () => "",
        };
        await new AgentLogs(bucket, database, clock).keep(
            { jobId: "aj_1", attempt: 2 },
            "/dev/null",
            "log",
            new AbortController().signal,
        );
        const [, keda = ""] = /query: (.*)/.exec(await readFile(scaledObject, "utf8")) ?? [];
        await database.get(keda);
    }
}

describeOnBoth("With many jobs in the database", (withDatabase) => {
    const withManyRows = (use: (database: ServiceDatabase, isShared: boolean) => Promise<void>): Promise<void> =>
        withDatabase(async (database) => {
            const isShared = database instanceof PostgresDatabase;
            // ANALYZE does what PostgreSQL does by itself in production; SQLite never analyses its tables.
            for (const sql of isShared ? [...content, ...sharedContent, "ANALYZE"] : content) {
                // Statements in this transaction have the time limit of a migration.
                await database.transaction((transaction) => transaction.run(sql), "schema");
            }
            await use(database, isShared);
        });

    it("no statement of a request, a run or a metric scans a whole table", async () => {
        await withManyRows(async (database, isShared) => {
            const statements: Statement[] = [];
            await runRepeatedPaths(recording(database, statements), isShared);
            const scans: string[] = [];
            await withExplain(database, async (explain) => {
                for (const statement of statements) {
                    const read = (await explain(statement)).filter((name) => !small.includes(name));
                    if (read.length > 0) {
                        scans.push(`${read.join(", ")}: ${statement.sql.replaceAll(/\s+/g, " ")}`);
                    }
                }
            });
            assert.deepEqual(scans, []);
            assert.ok(statements.length > 40, `${statements.length} statements`);
            const slowestMs = Math.max(...statements.map(({ tookMs }) => tookMs));
            assert.ok(slowestMs < maxStatementMs, `${Math.round(slowestMs)} ms`);
            if (rows > 100_000) {
                console.log(
                    `      ${statements.length} statements, of which the slowest took ${slowestMs.toFixed(1)} ms`,
                );
            }
        });
    });

    itInLong("the retention removes outdated jobs, and each statement stays within its time limit", async () => {
        await withManyRows(async (database, isShared) => {
            const store = new SiteJobStore(database, Date.now);
            const outdated = rows / 2;
            const nothing = () => Promise.resolve();
            const limits = { keepJobs: 400, unusedBefore: outdated, linkedSince: Date.now() };
            const beganMs = performance.now();
            const removed = await store.removeUnused(limits, nothing);
            let unused = 0;
            for await (const batch of isShared ? new StoredBundles(database, Date.now).unused(0) : []) {
                unused += batch.length;
            }
            if (rows > 100_000) {
                console.log(`      ${removed} jobs removed in ${Math.round(performance.now() - beganMs)} ms`);
            }
            // Queued jobs, and the newest completed job of each domain, are kept.
            assert.ok(removed > outdated - 2 * domains && removed < outdated, `${removed} jobs`);
            assert.equal(await store.removeUnused(limits, nothing), 0);
            const kept = await database.get<{ domains: number }>(
                "SELECT count(DISTINCT domain) AS domains FROM static_export_jobs WHERE status = 'completed'",
            );
            assert.equal(kept?.domains, domains);
            assert.ok(!isShared || unused > removed * 0.98, `${unused} bundles`);
        });
    });
});
