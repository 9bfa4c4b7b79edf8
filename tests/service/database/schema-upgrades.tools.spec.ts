import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema, waitForSchema } from "../../../service/src/database/postgres-schema.js";
import { readSchemas, toSqlite } from "../../../service/src/database/schemas.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { usePostgres } from "../support/postgres.js";

/** The schema file of a release after this one. */
const added = `ALTER TABLE static_export_jobs ADD COLUMN priority BIGINT NOT NULL DEFAULT 0;
CREATE TABLE notes (job_id TEXT PRIMARY KEY, note TEXT NOT NULL);
CREATE INDEX static_export_jobs_by_priority ON static_export_jobs (priority, sequence);`;
const broken = `${added}\nCREATE TABLE notes (job_id TEXT PRIMARY KEY);`;

const jobs = 35;
const domainOf = (index: number): string => `d${index % 5}.example.com`;

/** Runs jobs until none is left. @returns the jobs that it completed */
async function workOff(database: ServiceDatabase): Promise<string[]> {
    const attempts = new SiteJobAttempts(database, Date.now);
    const completed: string[] = [];
    for (;;) {
        const job = await attempts.claim();
        if (job === undefined) {
            return completed;
        }
        await attempts.tick(job);
        assert.ok(await attempts.complete(job, { pageCount: 1, sizeBytes: 1, sha256: "a".repeat(64) }));
        completed.push(job.jobId);
    }
}

async function start(database: ServiceDatabase, count: number): Promise<string[]> {
    const store = new SiteJobStore(database, Date.now);
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
        // Equal exports would end with one run.
        const version = `${index} of ${Date.now()} ${performance.now()}`;
        ids.push((await store.create({ domain: domainOf(index), version })).jobId);
    }
    return ids;
}

describe("An upgrade of the schema, on PostgreSQL", () => {
    const server = usePostgres();

    async function withDatabases(use: (one: PostgresDatabase, other: PostgresDatabase, url: string) => Promise<void>) {
        const url = await server().createDatabase();
        const [one, other] = [new PostgresDatabase(url), new PostgresDatabase(url)];
        try {
            await use(one, other, url);
        } finally {
            await Promise.all([one.close(), other.close()]);
        }
    }

    it("loses no job while processes of both releases run, and after a rollback to the earlier one", async () => {
        await withDatabases(async (earlier, later) => {
            const schemas = readSchemas("postgres");
            assert.deepEqual(await migrateSchema(earlier), { from: 0, to: schemas.length });
            const ids = await start(earlier, jobs);
            const working = [workOff(earlier)];
            assert.deepEqual(await migrateSchema(later, [...schemas, added]), {
                from: schemas.length,
                to: schemas.length + 1,
            });
            working.push(workOff(later), workOff(earlier));
            ids.push(...(await start(later, jobs)));
            const completed = (await Promise.all(working)).flat();
            // The later release is rolled back: the earlier one starts on the schema of the later one.
            const options = { signal: AbortSignal.timeout(10_000), logger: { info: () => undefined } };
            await waitForSchema(earlier, options);
            assert.deepEqual(await migrateSchema(earlier), { from: schemas.length + 1, to: schemas.length + 1 });
            completed.push(...(await workOff(earlier)));
            assert.deepEqual(completed.sort(), ids.sort());
        });
    });

    it("that is interrupted changes nothing, and can be repeated", async () => {
        await withDatabases(async (database, other) => {
            const schemas = readSchemas("postgres");
            await migrateSchema(database);
            const ids = await start(database, 5);
            await assert.rejects(migrateSchema(database, [...schemas, broken]));
            await assert.rejects(other.get("SELECT * FROM notes"), /notes/);
            // The connection of another migration is lost in the middle.
            const lost = database.transaction(async (transaction) => {
                await transaction.run(added);
                const own = await transaction.get<{ pid: number }>("SELECT pg_backend_pid() AS pid");
                await other.get("SELECT pg_terminate_backend(CAST(:pid AS INTEGER))", { pid: own?.pid ?? 0 });
                await transaction.run("SELECT 1");
            }, "schema");
            await assert.rejects(lost);
            const to = schemas.length + 1;
            assert.deepEqual(await migrateSchema(other, [...schemas, added]), { from: schemas.length, to });
            assert.deepEqual((await workOff(other)).sort(), ids.sort());
        });
    });

    it("applies to a database from the data folder of an earlier release, and leaves that folder as it was", async () => {
        await withDatabases(async (target, _other, url) => {
            const folder = await mkdtemp(join(tmpdir(), "earlier-"));
            try {
                const earlier = openSqliteDatabase(folder, readSchemas("sqlite").slice(0, 1));
                const ids = await start(earlier, 5);
                await earlier.close();
                assert.equal((await migrateDatabase(url, folder)).copiedJobs, 5);
                assert.deepEqual((await workOff(target)).sort(), ids.sort());
                const file = new DatabaseSync(join(folder, "service.sqlite"));
                assert.equal(file.prepare("PRAGMA user_version").get()?.["user_version"], 1);
                file.close();
            } finally {
                await rm(folder, { recursive: true });
            }
        });
    });
});

describe("An upgrade of the schema, on SQLite", () => {
    const schemas = readSchemas("sqlite");

    async function withFolder(use: (open: (wanted: readonly string[]) => ServiceDatabase) => Promise<void>) {
        const folder = await mkdtemp(join(tmpdir(), "upgraded-"));
        try {
            await use((wanted) => openSqliteDatabase(folder, wanted));
        } finally {
            await rm(folder, { recursive: true });
        }
    }

    it("loses no job, and is refused by the earlier release, which says so", async () => {
        await withFolder(async (open) => {
            const earlier = open(schemas.slice(0, 1));
            const ids = await start(earlier, jobs);
            await earlier.close();
            const later = open([...schemas, toSqlite(added)]);
            assert.deepEqual((await workOff(later)).sort(), ids.sort());
            await later.close();
            assert.throws(() => open(schemas), /was written by a newer release of the service/);
        });
    });

    it("that is interrupted changes nothing, and can be repeated", async () => {
        await withFolder(async (open) => {
            const earlier = open(schemas);
            const ids = await start(earlier, 5);
            await earlier.close();
            assert.throws(() => open([...schemas, toSqlite(broken)]));
            const again = open([...schemas, toSqlite(added)]);
            assert.deepEqual((await workOff(again)).sort(), ids.sort());
            await again.close();
        });
    });
});
