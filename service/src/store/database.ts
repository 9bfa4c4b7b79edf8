import Database from "libsql";
import { join } from "node:path";

export type ServiceDatabase = Database.Database;

/** One migration per released layout; `user_version` is the number of migrations that a file has had. */
const migrations = [
    `CREATE TABLE static_export_jobs (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        job_id TEXT NOT NULL UNIQUE,
        domain TEXT NOT NULL,
        version TEXT,
        paths TEXT,
        status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
        page_count INTEGER NOT NULL DEFAULT 0,
        error TEXT,
        size_bytes INTEGER,
        sha256 TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX unfinished_static_export_jobs ON static_export_jobs (status, sequence)
        WHERE status IN ('queued', 'running');
    CREATE TABLE agent_jobs (
        id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'archived', 'failed')),
        repository TEXT NOT NULL,
        ref TEXT,
        model TEXT NOT NULL,
        pr_link TEXT,
        created_at INTEGER NOT NULL,
        archived_at INTEGER
    ) STRICT;
    CREATE TABLE agent_prompts (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        job_id TEXT NOT NULL REFERENCES agent_jobs (id),
        prompt TEXT NOT NULL
    ) STRICT;
    CREATE INDEX agent_prompts_of_job ON agent_prompts (job_id, sequence);`,
    `CREATE TABLE idempotency_keys (
        scope TEXT NOT NULL,
        key TEXT NOT NULL,
        request_sha256 TEXT NOT NULL,
        job_id TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (scope, key)
    ) STRICT;
    CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);`,
    `ALTER TABLE agent_jobs ADD COLUMN branch TEXT;
    ALTER TABLE agent_prompts ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE agent_prompts ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'running', 'done'));
    ALTER TABLE agent_prompts ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE agent_prompts ADD COLUMN branch TEXT;
    ALTER TABLE agent_prompts ADD COLUMN base TEXT;
    ALTER TABLE agent_prompts ADD COLUMN commit_id TEXT;
    ALTER TABLE agent_prompts ADD COLUMN is_follow_up INTEGER NOT NULL DEFAULT 0;
    UPDATE agent_prompts SET prompt = json_quote(prompt);
    CREATE INDEX waiting_agent_prompts ON agent_prompts (state, sequence) WHERE state <> 'done';
    CREATE INDEX agent_prompts_by_age ON agent_prompts (created_at);`,
    "ALTER TABLE static_export_jobs ADD COLUMN warnings TEXT;",
    // How often a job was started, and when it issued its last link.
    `ALTER TABLE static_export_jobs ADD COLUMN starts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE static_export_jobs ADD COLUMN linked_at INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX static_export_jobs_by_bundle ON static_export_jobs (sha256);
    CREATE INDEX static_export_jobs_by_domain ON static_export_jobs (domain, status, sequence);`,
];

/**
 * Opens the service's database in `dataDir` exclusively; every commit is synced to disk before it returns.
 *
 * @throws when another process holds it, or a newer release of the service has written it.
 */
export function openDatabase(dataDir: string): ServiceDatabase {
    const database = new Database(join(dataDir, "service.sqlite"));
    try {
        // Exclusive before WAL: then no shared memory file is used, and the lock ends with the process, however it ends.
        database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
        database.exec("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; COMMIT;");
        migrate(database, dataDir);
        return database;
    } catch (error) {
        database.close();
        if ((error as { code?: string }).code === "SQLITE_BUSY") {
            throw new Error(
                `Data folder ${dataDir} is in use by another service: stop that one, or choose another data folder.`,
                { cause: error },
            );
        }
        if (["SQLITE_CORRUPT", "SQLITE_NOTADB"].includes((error as { code?: string }).code ?? "")) {
            throw new Error(
                `The database service.sqlite in data folder ${dataDir} is damaged: put a copy from before in its place, ` +
                    "or remove it together with the folder bundles; then all jobs are forgotten and their links stop working.",
                { cause: error },
            );
        }
        throw error;
    }
}

function migrate(database: ServiceDatabase, dataDir: string): void {
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (version > migrations.length) {
        throw new Error(
            `Data folder ${dataDir} was written by a newer release of the service (layout ${version}, this one knows ` +
                `${migrations.length}): upgrade, or choose another data folder.`,
        );
    }
    for (const [index, statements] of migrations.entries()) {
        if (index >= version) {
            database.exec(`BEGIN IMMEDIATE; ${statements} PRAGMA user_version = ${index + 1}; COMMIT;`);
        }
    }
}

/** Runs `work` in a transaction: in the open one, if there is one. */
export function inTransaction<T>(database: ServiceDatabase, work: () => T): T {
    return database.inTransaction ? work() : database.transaction(work)();
}

export function closeDatabase(database: ServiceDatabase): void {
    // libsql keeps the file open until its statements are garbage-collected; the lock must not last that long.
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL;");
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    database.close();
}
