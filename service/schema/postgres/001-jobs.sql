CREATE TABLE static_export_jobs (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id TEXT NOT NULL UNIQUE,
    domain TEXT NOT NULL,
    version TEXT,
    paths TEXT,
    status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
    starts BIGINT NOT NULL DEFAULT 0,
    attempt BIGINT NOT NULL DEFAULT 0,
    ticks BIGINT NOT NULL DEFAULT 0,
    progress BIGINT NOT NULL DEFAULT 0,
    page_count BIGINT NOT NULL DEFAULT 0,
    storing TEXT,
    error TEXT,
    warnings TEXT,
    size_bytes BIGINT,
    sha256 TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    linked_at BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX one_running_job_per_domain ON static_export_jobs (domain) WHERE status = 'running';
CREATE INDEX queued_static_export_jobs ON static_export_jobs (sequence) WHERE status = 'queued';
CREATE INDEX static_export_jobs_by_bundle ON static_export_jobs (sha256);
CREATE INDEX static_export_jobs_by_domain ON static_export_jobs (domain, status, sequence);

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
    archived_at BIGINT
);
CREATE TABLE agent_prompts (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES agent_jobs (id),
    prompt TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done')),
    created_at BIGINT NOT NULL
);
CREATE INDEX agent_prompts_of_job ON agent_prompts (job_id, sequence);
CREATE INDEX agent_prompts_by_age ON agent_prompts (created_at);

CREATE TABLE idempotency_keys (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    request_sha256 TEXT NOT NULL,
    job_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
