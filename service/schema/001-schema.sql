-- SQLite uses a partial index only if a query contains its exact condition.
CREATE TABLE static_export_jobs (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id TEXT NOT NULL UNIQUE,
    -- 'update' for a documentation update. The newest completed update of a domain decides which commit is exported.
    kind TEXT NOT NULL DEFAULT 'export',
    domain TEXT NOT NULL,
    version TEXT,
    paths TEXT,
    -- The site and the branch that a job previews; null for a job of the site itself.
    preview_of TEXT,
    branch TEXT,
    status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
    -- Why the job is no longer wanted.
    cancellation TEXT,
    -- The job whose run also answers this one.
    answered_by TEXT,
    -- The key that queued the job.
    queued_by TEXT,
    -- How often the job was started, which run has it, and the run's last report.
    starts BIGINT NOT NULL DEFAULT 0,
    attempt BIGINT NOT NULL DEFAULT 0,
    ticks BIGINT NOT NULL DEFAULT 0,
    worker TEXT,
    log TEXT,
    progress BIGINT NOT NULL DEFAULT 0,
    page_count BIGINT NOT NULL DEFAULT 0,
    -- The archive that the run is about to store.
    storing TEXT,
    error TEXT,
    warnings TEXT,
    size_bytes BIGINT,
    sha256 TEXT,
    -- The commit that the job exports, of a site in a repository; null until its first run has fetched it.
    source_ref TEXT,
    -- The project that an update was started for, what started it, and its commit's message, author and files, as JSON.
    project_id TEXT,
    started_by TEXT,
    commit_details TEXT,
    -- The span of the request that started the job, as W3C's traceparent; null if the service is not traced.
    trace_parent TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- When the job's last link was issued.
    linked_at BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX one_running_job_per_domain ON static_export_jobs (domain) WHERE status = 'running';
CREATE INDEX queued_static_export_jobs ON static_export_jobs (sequence) WHERE status = 'queued';
-- For the autoscaler and the metrics, which count these jobs again and again.
CREATE INDEX unfinished_static_export_jobs ON static_export_jobs (status, sequence)
    WHERE status IN ('queued', 'running');
CREATE INDEX answered_static_export_jobs ON static_export_jobs (answered_by) WHERE answered_by IS NOT NULL;
CREATE INDEX cancelled_static_export_jobs ON static_export_jobs (kind, sequence) WHERE cancellation IS NOT NULL;
CREATE INDEX static_export_jobs_by_bundle ON static_export_jobs (sha256);
CREATE INDEX static_export_jobs_by_commit ON static_export_jobs (source_ref);
CREATE INDEX static_export_jobs_by_domain ON static_export_jobs (domain, status, sequence);
CREATE INDEX static_export_jobs_by_kind ON static_export_jobs (kind, sequence);
CREATE INDEX static_export_jobs_by_status ON static_export_jobs (kind, status, sequence);
CREATE INDEX static_export_jobs_of_domain ON static_export_jobs (domain, kind, sequence);
CREATE INDEX static_export_jobs_of_key ON static_export_jobs (queued_by, kind, sequence);
CREATE INDEX static_export_jobs_by_time ON static_export_jobs (created_at, sequence);
CREATE INDEX static_export_previews ON static_export_jobs (preview_of, kind, sequence) WHERE preview_of IS NOT NULL;
-- For the storage that each site uses, which is counted without reading the jobs.
CREATE INDEX static_export_bundles ON static_export_jobs (domain, sha256, size_bytes) WHERE sha256 IS NOT NULL;

-- The order in which keys and domains were served last.
CREATE TABLE export_turns (
    name TEXT PRIMARY KEY,
    turn BIGINT NOT NULL
);

CREATE TABLE agent_jobs (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'archived', 'failed')),
    repository TEXT NOT NULL,
    ref TEXT,
    branch TEXT,
    model TEXT NOT NULL,
    pr_link TEXT,
    created_at BIGINT NOT NULL,
    archived_at BIGINT,
    -- When the retention first found that the job had ended.
    seen_ended_at BIGINT
);
CREATE INDEX ended_agent_jobs ON agent_jobs (seen_ended_at) WHERE status <> 'active';
CREATE INDEX agent_jobs_by_time ON agent_jobs (created_at, id);
CREATE INDEX agent_jobs_of_project ON agent_jobs (project_id, created_at, id);

CREATE TABLE agent_prompts (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES agent_jobs (id),
    prompt TEXT NOT NULL,
    is_follow_up BIGINT NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done')),
    -- How often the prompt was started, which run has it, the run's last report, and the change that its runs made.
    starts BIGINT NOT NULL DEFAULT 0,
    attempt BIGINT NOT NULL DEFAULT 0,
    ticks BIGINT NOT NULL DEFAULT 0,
    branch TEXT,
    base TEXT,
    commits TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX agent_prompts_of_job ON agent_prompts (job_id, sequence);
CREATE INDEX agent_prompts_by_age ON agent_prompts (created_at);
CREATE INDEX waiting_agent_prompts ON agent_prompts (sequence) WHERE state = 'waiting';
CREATE UNIQUE INDEX one_running_prompt_per_job ON agent_prompts (job_id) WHERE state = 'running';

-- The order in which projects were served last.
CREATE TABLE agent_turns (
    project_id TEXT PRIMARY KEY,
    turn BIGINT NOT NULL
);

-- Logs of agents' runs in the bucket, each recorded before it is uploaded.
CREATE TABLE agent_logs (
    job_id TEXT NOT NULL,
    attempt BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (job_id, attempt)
);
CREATE INDEX old_agent_logs ON agent_logs (recorded_at);

-- Keys of clients, in addition to the key in the file. Only the SHA-256 of a key, of 256 random bits, is stored.
CREATE TABLE admin_keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- The name that people gave to the key, if a key that they do not see has the same one; null if it is the name.
    title TEXT,
    sha256 TEXT NOT NULL UNIQUE,
    -- The secret before the last rotation, which is accepted until the given time.
    previous_sha256 TEXT,
    previous_until BIGINT,
    scopes TEXT NOT NULL,
    -- A key that is limited reaches only what it names: both are null, or neither is.
    domains TEXT,
    projects TEXT,
    created_by TEXT,
    -- The key or person that created the key, by its id.
    created_by_id TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    last_used_at BIGINT
);
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
    created_at BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The secrets that sign links. An earlier secret is accepted until the given time; null for the one that signs.
CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    valid_until BIGINT
);

-- The processes that run jobs.
CREATE TABLE workers (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    host TEXT NOT NULL,
    concurrency BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

-- Archives that were, or are about to be, stored in a bucket, which contains no others.
CREATE TABLE stored_bundles (
    sha256 TEXT PRIMARY KEY,
    size_bytes BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    was_found BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX stored_bundles_by_age ON stored_bundles (recorded_at);

-- Archives that are being removed from the storage, outside of transactions: no run stores them meanwhile.
CREATE TABLE bundle_removals (
    sha256 TEXT PRIMARY KEY,
    began_at BIGINT NOT NULL
);

-- Caches of pages in the bucket, a row a file: recorded before it is uploaded, and current once all files of an export
-- are there.
CREATE TABLE page_caches (
    domain TEXT NOT NULL,
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    is_current BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (domain, sha256)
);
CREATE INDEX outdated_page_caches ON page_caches (recorded_at) WHERE is_current = 0;

-- When the last round of the retention began in any process, when the last one that removed everything ended, and when
-- the storage was last listed for bundles that the database does not contain.
CREATE TABLE retention_rounds (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    began_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    listed_at BIGINT NOT NULL DEFAULT 0
);
INSERT INTO retention_rounds (id, began_at, ended_at) VALUES (1, 0, (extract(epoch FROM now()) * 1000)::bigint);

-- The times in which rounds of the retention ran, without silences of more than an hour: only this time makes rows old.
CREATE TABLE observed_times (
    began_at BIGINT PRIMARY KEY,
    ended_at BIGINT NOT NULL
);

-- The sessions of people, so that each can be listed and ended.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    token_sha256 TEXT NOT NULL UNIQUE,
    owner_id TEXT,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    address TEXT,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Who did what, when, and from where.
CREATE TABLE audit_entries (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    actor_id TEXT,
    actor_name TEXT,
    act TEXT NOT NULL,
    address TEXT
);
CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id, sequence);
CREATE INDEX audit_entries_by_time ON audit_entries (at);
