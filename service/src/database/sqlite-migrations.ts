/** One migration per released schema; `user_version` is the number of migrations that were applied to a file. */
export const sqliteMigrations = [
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
    // How often a job was started, and when its last link was issued.
    `ALTER TABLE static_export_jobs ADD COLUMN starts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE static_export_jobs ADD COLUMN linked_at INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX static_export_jobs_by_bundle ON static_export_jobs (sha256);
    CREATE INDEX static_export_jobs_by_domain ON static_export_jobs (domain, status, sequence);`,
    // Which run has the job, the run's last report, and the archive that the run is about to store.
    `ALTER TABLE static_export_jobs ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE static_export_jobs ADD COLUMN ticks INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE static_export_jobs ADD COLUMN progress INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE static_export_jobs ADD COLUMN storing TEXT;
    CREATE UNIQUE INDEX one_running_job_per_domain ON static_export_jobs (domain) WHERE status = 'running';`,
    "ALTER TABLE static_export_jobs ADD COLUMN source_ref TEXT;",
    "ALTER TABLE static_export_jobs ADD COLUMN trace_parent TEXT;",
    // Which run a prompt belongs to, all commits of its runs, and the order in which projects were last served.
    `ALTER TABLE agent_prompts RENAME COLUMN attempts TO starts;
    ALTER TABLE agent_prompts RENAME COLUMN commit_id TO commits;
    ALTER TABLE agent_prompts ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE agent_prompts ADD COLUMN ticks INTEGER NOT NULL DEFAULT 0;
    CREATE UNIQUE INDEX one_running_prompt_per_job ON agent_prompts (job_id) WHERE state = 'running';
    CREATE TABLE agent_turns (project_id TEXT PRIMARY KEY, turn INTEGER NOT NULL) STRICT;`,
    // When the retention first found that a job had ended.
    `ALTER TABLE agent_jobs ADD COLUMN seen_ended_at INTEGER;
    CREATE INDEX ended_agent_jobs ON agent_jobs (seen_ended_at) WHERE status <> 'active';`,
    // Start keys are independent for each domain.
    `UPDATE idempotency_keys SET scope = 'start ' || job.domain
    FROM static_export_jobs AS job WHERE scope = 'start' AND job.job_id = idempotency_keys.job_id;`,
    // Documentation updates, which run as jobs.
    `ALTER TABLE static_export_jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'export';
    ALTER TABLE static_export_jobs ADD COLUMN project_id TEXT;
    ALTER TABLE static_export_jobs ADD COLUMN started_by TEXT;
    ALTER TABLE static_export_jobs ADD COLUMN commit_details TEXT;`,
    // When the last round of the retention began, and when the last complete one ended. The new indexes match the
    // queries: SQLite uses a partial index only if the query contains its exact condition.
    `CREATE TABLE retention_rounds (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        began_at INTEGER NOT NULL,
        ended_at INTEGER NOT NULL
    ) STRICT;
    INSERT INTO retention_rounds VALUES (1, 0, CAST(strftime('%s', 'now') AS INTEGER) * 1000);
    CREATE INDEX queued_static_export_jobs ON static_export_jobs (sequence) WHERE status = 'queued';
    DROP INDEX waiting_agent_prompts;
    CREATE INDEX waiting_agent_prompts ON agent_prompts (sequence) WHERE state = 'waiting';`,
    // Previews of branches.
    `ALTER TABLE static_export_jobs ADD COLUMN preview_of TEXT;
    ALTER TABLE static_export_jobs ADD COLUMN branch TEXT;`,
    // Archives whose removal from the storage is in progress.
    "CREATE TABLE bundle_removals (sha256 TEXT PRIMARY KEY, began_at INTEGER NOT NULL) STRICT;",
    // Which key queued a job, why it is no longer wanted, and the order in which keys and domains were last served.
    `ALTER TABLE static_export_jobs ADD COLUMN queued_by TEXT;
    ALTER TABLE static_export_jobs ADD COLUMN cancellation TEXT;
    CREATE TABLE export_turns (name TEXT PRIMARY KEY, turn INTEGER NOT NULL) STRICT;`,
    // The job whose run also answers this one; how urgent a job is; and how many jobs its key may run at the same time.
    `ALTER TABLE static_export_jobs ADD COLUMN answered_by TEXT;
    ALTER TABLE static_export_jobs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE static_export_jobs ADD COLUMN max_running INTEGER;
    CREATE INDEX answered_static_export_jobs ON static_export_jobs (answered_by)
        WHERE answered_by IS NOT NULL;`,
    // When the service last searched the storage for bundles that the database does not contain.
    "ALTER TABLE retention_rounds ADD COLUMN listed_at INTEGER NOT NULL DEFAULT 0;",
    // What the pages of operators show: keys, the worker and the log of each job, and the processes that run jobs.
    `CREATE TABLE admin_keys (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        sha256 TEXT NOT NULL UNIQUE,
        scopes TEXT NOT NULL,
        domains TEXT,
        projects TEXT,
        priority TEXT NOT NULL DEFAULT 'normal',
        max_queued INTEGER,
        max_running INTEGER,
        created_by TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        revoked_at INTEGER,
        last_used_at INTEGER,
        previous_sha256 TEXT,
        previous_until INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX one_admin_key_of_a_name ON admin_keys (name) WHERE revoked_at IS NULL;
    CREATE INDEX rotated_admin_keys ON admin_keys (previous_sha256) WHERE previous_sha256 IS NOT NULL;
    ALTER TABLE static_export_jobs ADD COLUMN worker TEXT;
    ALTER TABLE static_export_jobs ADD COLUMN log TEXT;
    CREATE INDEX static_export_jobs_by_kind ON static_export_jobs (kind, sequence);
    CREATE INDEX static_export_jobs_by_status ON static_export_jobs (kind, status, sequence);
    CREATE INDEX static_export_jobs_of_domain ON static_export_jobs (domain, kind, sequence);
    CREATE INDEX static_export_jobs_of_key ON static_export_jobs (queued_by, kind, sequence);
    CREATE INDEX static_export_jobs_by_time ON static_export_jobs (created_at, sequence);
    CREATE INDEX static_export_previews ON static_export_jobs (preview_of, kind, sequence) WHERE preview_of IS NOT NULL;
    CREATE INDEX agent_jobs_by_time ON agent_jobs (created_at, id);
    CREATE INDEX agent_jobs_of_project ON agent_jobs (project_id, created_at, id);
    CREATE TABLE workers (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        host TEXT NOT NULL,
        concurrency INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        seen_at INTEGER NOT NULL
    ) STRICT;`,
    // The secrets that sign links. Until the given time, an earlier secret is still accepted after its rotation.
    "CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL, valid_until INTEGER) STRICT;",
    // For the storage that each site uses, which is counted without reading the jobs. And the name that people gave to
    // a key, if a key that they do not see has the same one.
    `CREATE INDEX static_export_bundles ON static_export_jobs (domain, sha256, size_bytes) WHERE sha256 IS NOT NULL;
    ALTER TABLE admin_keys ADD COLUMN title TEXT;
    CREATE INDEX admin_keys_by_title ON admin_keys (title) WHERE title IS NOT NULL;`,
];
