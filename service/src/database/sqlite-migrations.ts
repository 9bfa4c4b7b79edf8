/**
 * One migration per released schema; `user_version` is the number of migrations that were applied to a file. The
 * columns are those of schema/postgres/, whose comments say what they mean. SQLite uses a partial index only if the
 * query contains its exact condition.
 */
export const sqliteMigrations = [
    `CREATE TABLE static_export_jobs (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        job_id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL DEFAULT 'export',
        domain TEXT NOT NULL,
        version TEXT,
        paths TEXT,
        preview_of TEXT,
        branch TEXT,
        status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
        cancellation TEXT,
        answered_by TEXT,
        queued_by TEXT,
        priority INTEGER NOT NULL DEFAULT 0,
        max_running INTEGER,
        starts INTEGER NOT NULL DEFAULT 0,
        attempt INTEGER NOT NULL DEFAULT 0,
        ticks INTEGER NOT NULL DEFAULT 0,
        worker TEXT,
        log TEXT,
        progress INTEGER NOT NULL DEFAULT 0,
        page_count INTEGER NOT NULL DEFAULT 0,
        storing TEXT,
        error TEXT,
        warnings TEXT,
        size_bytes INTEGER,
        sha256 TEXT,
        source_ref TEXT,
        project_id TEXT,
        started_by TEXT,
        commit_details TEXT,
        trace_parent TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        linked_at INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE UNIQUE INDEX one_running_job_per_domain ON static_export_jobs (domain) WHERE status = 'running';
    CREATE INDEX queued_static_export_jobs ON static_export_jobs (sequence) WHERE status = 'queued';
    CREATE INDEX unfinished_static_export_jobs ON static_export_jobs (status, sequence)
        WHERE status IN ('queued', 'running');
    CREATE INDEX answered_static_export_jobs ON static_export_jobs (answered_by)
        WHERE answered_by IS NOT NULL;
    CREATE INDEX cancelled_static_export_jobs ON static_export_jobs (kind, sequence)
        WHERE cancellation IS NOT NULL;
    CREATE INDEX static_export_jobs_by_bundle ON static_export_jobs (sha256);
    CREATE INDEX static_export_jobs_by_commit ON static_export_jobs (source_ref);
    CREATE INDEX static_export_jobs_by_domain ON static_export_jobs (domain, status, sequence);
    CREATE INDEX static_export_jobs_by_kind ON static_export_jobs (kind, sequence);
    CREATE INDEX static_export_jobs_by_status ON static_export_jobs (kind, status, sequence);
    CREATE INDEX static_export_jobs_of_domain ON static_export_jobs (domain, kind, sequence);
    CREATE INDEX static_export_jobs_of_key ON static_export_jobs (queued_by, kind, sequence);
    CREATE INDEX static_export_jobs_by_time ON static_export_jobs (created_at, sequence);
    CREATE INDEX static_export_previews ON static_export_jobs (preview_of, kind, sequence) WHERE preview_of IS NOT NULL;
    CREATE INDEX static_export_bundles ON static_export_jobs (domain, sha256, size_bytes) WHERE sha256 IS NOT NULL;
    CREATE TABLE export_turns (name TEXT PRIMARY KEY, turn INTEGER NOT NULL) STRICT;
    CREATE TABLE agent_jobs (
        id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'archived', 'failed')),
        repository TEXT NOT NULL,
        ref TEXT,
        branch TEXT,
        model TEXT NOT NULL,
        pr_link TEXT,
        created_at INTEGER NOT NULL,
        archived_at INTEGER,
        seen_ended_at INTEGER
    ) STRICT;
    CREATE INDEX ended_agent_jobs ON agent_jobs (seen_ended_at) WHERE status <> 'active';
    CREATE INDEX agent_jobs_by_time ON agent_jobs (created_at, id);
    CREATE INDEX agent_jobs_of_project ON agent_jobs (project_id, created_at, id);
    CREATE TABLE agent_prompts (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        job_id TEXT NOT NULL REFERENCES agent_jobs (id),
        prompt TEXT NOT NULL,
        is_follow_up INTEGER NOT NULL DEFAULT 0,
        state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done')),
        starts INTEGER NOT NULL DEFAULT 0,
        attempt INTEGER NOT NULL DEFAULT 0,
        ticks INTEGER NOT NULL DEFAULT 0,
        branch TEXT,
        base TEXT,
        commits TEXT,
        created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX agent_prompts_of_job ON agent_prompts (job_id, sequence);
    CREATE INDEX agent_prompts_by_age ON agent_prompts (created_at);
    CREATE INDEX waiting_agent_prompts ON agent_prompts (sequence) WHERE state = 'waiting';
    CREATE UNIQUE INDEX one_running_prompt_per_job ON agent_prompts (job_id) WHERE state = 'running';
    CREATE TABLE agent_turns (project_id TEXT PRIMARY KEY, turn INTEGER NOT NULL) STRICT;
    CREATE TABLE admin_keys (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        title TEXT,
        sha256 TEXT NOT NULL UNIQUE,
        previous_sha256 TEXT,
        previous_until INTEGER,
        scopes TEXT NOT NULL,
        domains TEXT,
        projects TEXT,
        priority TEXT NOT NULL DEFAULT 'normal',
        max_queued INTEGER,
        max_running INTEGER,
        created_by TEXT,
        created_by_id TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        revoked_at INTEGER,
        last_used_at INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX one_admin_key_of_a_name ON admin_keys (name) WHERE revoked_at IS NULL;
    CREATE INDEX rotated_admin_keys ON admin_keys (previous_sha256) WHERE previous_sha256 IS NOT NULL;
    CREATE INDEX admin_keys_by_title ON admin_keys (title) WHERE title IS NOT NULL;
    CREATE INDEX admin_keys_by_age ON admin_keys (created_at, id);
    CREATE INDEX admin_keys_by_creator ON admin_keys (created_by_id) WHERE created_by_id IS NOT NULL;
    CREATE TABLE idempotency_keys (
        scope TEXT NOT NULL,
        key TEXT NOT NULL,
        request_sha256 TEXT NOT NULL,
        job_id TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (scope, key)
    ) STRICT;
    CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
    CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL, valid_until INTEGER) STRICT;
    CREATE TABLE workers (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        host TEXT NOT NULL,
        concurrency INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        seen_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        token_sha256 TEXT NOT NULL UNIQUE,
        owner_id TEXT,
        name TEXT NOT NULL,
        content TEXT NOT NULL,
        address TEXT,
        created_at INTEGER NOT NULL,
        seen_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);
    CREATE TABLE audit_entries (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        actor TEXT NOT NULL,
        actor_id TEXT,
        actor_name TEXT,
        act TEXT NOT NULL,
        address TEXT
    ) STRICT;
    CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id, sequence);
    CREATE INDEX audit_entries_by_time ON audit_entries (at);
    CREATE TABLE bundle_removals (sha256 TEXT PRIMARY KEY, began_at INTEGER NOT NULL) STRICT;
    CREATE TABLE retention_rounds (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        began_at INTEGER NOT NULL,
        ended_at INTEGER NOT NULL,
        listed_at INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE observed_times (began_at INTEGER PRIMARY KEY, ended_at INTEGER NOT NULL) STRICT;
    INSERT INTO retention_rounds (id, began_at, ended_at)
        VALUES (1, 0, CAST(strftime('%s', 'now') AS INTEGER) * 1000);`,
];
