import assert from "node:assert/strict";
import { rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { copyDataFolder } from "../../../service/src/roles/copy-data-folder.js";
import { usePostgres } from "../support/postgres.js";

type Row = Record<string, string | number | null>;

const tables = ["static_export_jobs", "agent_jobs", "agent_prompts", "admin_keys", "idempotency_keys", "export_turns"];

/** Values that the tables' rules demand; every other column gets a different text or number. */
const demanded: Readonly<Record<string, Row>> = {
    static_export_jobs: { status: "completed", kind: "export" },
    agent_jobs: { id: "aj_1", status: "active" },
    agent_prompts: { job_id: "aj_1", state: "waiting" },
};

async function insert(database: ServiceDatabase, table: string, values: Row): Promise<void> {
    const columns = await database.all<{ name: string; type: string }>(`PRAGMA table_info(${table})`);
    const row: Row = {};
    columns.forEach(({ name, type }, index) => {
        row[name] = values[name] ?? (type === "INTEGER" ? 100 + index : `${name} ${index}`);
    });
    const names = Object.keys(row).filter((name) => name !== "sequence");
    const { sequence: _, ...stored } = row;
    await database.run(
        `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})`,
        stored,
    );
}

async function rowsOf(database: ServiceDatabase, table: string): Promise<Row[]> {
    const rows = await database.all<Row>(`SELECT * FROM ${table}`);
    return rows.map(({ sequence: _, ...row }) => row);
}

describe("The copy of a data folder", () => {
    const server = usePostgres();

    async function withDatabases(use: (source: ServiceDatabase, target: ServiceDatabase) => Promise<void>) {
        const folder = await mkdtemp(join(tmpdir(), "copied-"));
        const source = openSqliteDatabase(folder);
        const target = new PostgresDatabase(await server().createDatabase());
        try {
            await migrateSchema(target);
            await use(source, target);
        } finally {
            await Promise.all([source.close(), target.close()]);
            await rm(folder, { recursive: true });
        }
    }

    for (const table of tables) {
        it(`contains every column of ${table}`, async () => {
            await withDatabases(async (source, target) => {
                for (const each of table === "agent_prompts" ? ["agent_jobs", table] : [table]) {
                    await insert(source, each, demanded[each] ?? {});
                }
                await copyDataFolder(source, target);
                assert.deepEqual(await rowsOf(target, table), await rowsOf(source, table));
            });
        });
    }

    it("queues running jobs again, but not those that were cancelled", async () => {
        await withDatabases(async (source, target) => {
            const running = { ...demanded["static_export_jobs"], status: "running" };
            await insert(source, "static_export_jobs", { ...running, job_id: "se_1", domain: "a.example.com" });
            await insert(source, "static_export_jobs", { ...running, job_id: "se_2", domain: "b.example.com" });
            await source.run("UPDATE static_export_jobs SET cancellation = NULL WHERE job_id = 'se_1'");
            assert.equal(await copyDataFolder(source, target), 2);
            assert.deepEqual(
                await target.all("SELECT job_id, status, error FROM static_export_jobs ORDER BY sequence"),
                [
                    { job_id: "se_1", status: "queued", error: null },
                    {
                        job_id: "se_2",
                        status: "failed",
                        error: (await rowsOf(source, "static_export_jobs"))[1]?.["cancellation"],
                    },
                ],
            );
        });
    });
});
