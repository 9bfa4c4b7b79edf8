import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { defaultTimes } from "../../../service/src/database/postgres-connections.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { isLongest } from "../../scale.js";
import { usePostgres } from "../support/postgres.js";
import { adminApiKey, type RunningService, withFolder, withServiceOver } from "../support/running-service.js";
import { makeKey, page, signIn, type Viewer } from "./support/viewer.js";

const jobCount = 1_000_000;
const siteCount = 3000;
const maxPageMs = 100;
const sites = Array.from({ length: siteCount }, (_, index) => `d${index}.example.com`);

/** Jobs of the last two months; one in a hundred has failed. */
function contentAt(now: number): string[] {
    const numbers = (count: number): string =>
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
    const at = (count: number): string => `${now} - (${count} - n) * CAST(5000 AS BIGINT)`;
    return [
        `INSERT INTO static_export_jobs
            (job_id, kind, domain, status, sha256, size_bytes, page_count, error, queued_by, log, created_at, updated_at)
         ${numbers(jobCount)} SELECT CASE WHEN n % 10 = 0 THEN 'du_' ELSE 'se_' END || n,
            CASE WHEN n % 10 = 0 THEN 'update' ELSE 'export' END, 'd' || (n * 7 % ${siteCount}) || '.example.com',
            CASE WHEN n % 101 = 0 THEN 'failed' ELSE 'completed' END,
            CASE WHEN n % 101 = 0 OR n % 10 = 0 THEN NULL ELSE 'sha' || n END, 5000000, 100,
            CASE WHEN n % 101 = 0 THEN 'The page guides/start.md cannot be read.' ELSE NULL END,
            'ak_' || (n % 300), NULL, ${at(jobCount)}, ${at(jobCount)} FROM numbers`,
        `INSERT INTO agent_jobs (id, project_id, status, repository, model, created_at)
         ${numbers(100_000)} SELECT 'aj_' || n, 'docs', 'completed', 'r', 'm', ${at(100_000)} FROM numbers`,
        `INSERT INTO agent_prompts (job_id, prompt, state, created_at)
         ${numbers(100_000)} SELECT 'aj_' || n, '"p"', 'done', ${at(100_000)} FROM numbers`,
        `INSERT INTO admin_keys (id, name, sha256, scopes, created_at)
         ${numbers(300)} SELECT 'ak_' || n, 'k' || n, 'sha' || n, '["read"]', ${now} FROM numbers`,
    ];
}

async function fill(database: ServiceDatabase): Promise<void> {
    for (const statement of contentAt(Date.now())) {
        await database.run(statement);
    }
    await database.run("ANALYZE");
}

const pages = [
    "/sites",
    "/sites?cursor=2900",
    "/sites?state=failed",
    "/sites?search=d29",
    "/sites/d7.example.com",
    "/jobs",
    `/jobs?cursor=${jobCount / 2}`,
    "/jobs?status=failed",
    "/jobs?domain=d7.example.com",
    "/jobs?key=ak_7",
    "/jobs?status=failed&domain=d7.example.com",
    "/jobs/se_999999",
    "/updates",
    "/agent-jobs",
    "/agent-jobs/docs/aj_99999",
    "/keys",
    "/health",
];

/**
 * How long the service took for each page, the median of seven requests: one of them may be the one that reads the
 * newest job of each site, or the size of all bundles, for all requests of the next second or minute.
 */
async function measure({ requests }: RunningService, viewer: Viewer, paths: readonly string[]) {
    const times = new Map<string, number>();
    for (const path of paths) {
        const own: number[] = [];
        for (let count = 0; count < 7; count++) {
            requests.length = 0;
            const { status, text } = await viewer.get(page + path);
            assert.equal(status, 200, `${path}: ${text}`);
            own.push(requests.find((entry) => entry.path.startsWith(page))?.durationMs ?? NaN);
        }
        own.sort((one, other) => one - other);
        times.set(path, own[3] ?? NaN);
    }
    return times;
}

async function assertFastPages(running: RunningService): Promise<void> {
    const scopes = ["read", "keys"];
    const few = await makeKey(running, { name: "few", scopes, domains: ["d7.example.com", "d8.example.com"] });
    const many = await makeKey(running, { name: "many", scopes, domains: sites.slice(0, 1000) });
    const viewers: [string, string, readonly string[]][] = [
        ["the operator", adminApiKey, pages],
        ["a team of two sites", few.secret, ["/sites", "/jobs", "/jobs?status=failed", "/updates", "/keys", "/health"]],
        ["a team of 1,000 sites", many.secret, ["/sites", "/jobs", "/jobs?status=failed", "/updates", "/health"]],
    ];
    const slow: string[] = [];
    for (const [who, key, paths] of viewers) {
        for (const [path, median] of await measure(running, await signIn(running, key), paths)) {
            if (median > maxPageMs) {
                slow.push(`${who}: ${path} took ${median.toFixed(0)} ms`);
            }
        }
    }
    assert.deepEqual(slow, []);
}

describe("The dashboard with 1,000,000 jobs and 3,000 sites", function () {
    this.timeout(20 * 60_000);
    before(function () {
        // The times need a machine that does nothing else: SPEC_SCALE=2 npx mocha with this file.
        if (!isLongest) {
            this.skip();
        }
    });
    const server = usePostgres();

    async function withSites(folder: string, options: object, use: (running: RunningService) => Promise<void>) {
        const place = join(folder, "site");
        const projects = { docs: { repository: "https://git.example.com/docs" } };
        const all = Object.fromEntries(sites.map((domain) => [domain, place]));
        await withServiceOver(folder, { sites: all, projects, keepJobs: 100_000, ...options }, use);
    }

    it("answers most requests for each page within 100 ms, with the embedded database", async () => {
        await withFolder(async (folder) => {
            await withSites(folder, {}, () => Promise.resolve());
            const database = openSqliteDatabase(join(folder, "data"));
            await fill(database);
            await database.close();
            await withSites(folder, {}, assertFastPages);
        });
    });

    it("does so with PostgreSQL, whose load does not depend on the number of open browsers", async () => {
        const address = await server().createDatabase();
        const database = new PostgresDatabase(address, { ...defaultTimes, statementMs: 600_000, answerMs: 600_000 });
        await migrateSchema(database);
        await fill(database);
        await withFolder(async (folder) => {
            await mkdir(join(folder, "data"), { recursive: true });
            await withSites(folder, { database: address }, async (running) => {
                await assertFastPages(running);
                await assertCheapBrowsers(running, database);
            });
        });
        await database.close();
    });
});

/** Transactions of the database within six seconds, while this many browsers are open. */
async function transactionsWith(count: number, running: RunningService, database: ServiceDatabase): Promise<number> {
    const { secret } = await makeKey(running, { name: `browsers-${count}`, scopes: ["read"] });
    const { cookies } = await signIn(running, secret);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const streams = await Promise.all(
        Array.from({ length: count }, async () => {
            const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
            get(`${running.service.url}${page}/events`, { headers: { cookie }, agent: false }, resolve);
            return (await promise).resume();
        }),
    );
    const total = async (): Promise<number> => {
        // PostgreSQL reports a transaction up to a second after its end.
        await delay(1500);
        const row = await database.get<{ count: string }>(
            "SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()",
        );
        return Number(row?.count);
    };
    const before = await total();
    await delay(6000);
    const after = await total();
    streams.forEach((stream) => stream.destroy());
    return after - before;
}

async function assertCheapBrowsers(running: RunningService, database: ServiceDatabase): Promise<void> {
    const one = await transactionsWith(1, running, database);
    const many = await transactionsWith(200, running, database);
    assert.ok(many <= one + 10, `${one} transactions with one browser, ${many} with 200`);
}
