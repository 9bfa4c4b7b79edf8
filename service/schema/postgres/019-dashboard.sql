-- What the pages of operators show: who created a key and when it was last used; which worker has a job, and its log.
ALTER TABLE admin_keys ADD COLUMN created_by TEXT;
ALTER TABLE admin_keys ADD COLUMN last_used_at BIGINT;
-- The secret before the last rotation, which is accepted until the given time.
ALTER TABLE admin_keys ADD COLUMN previous_sha256 TEXT;
ALTER TABLE admin_keys ADD COLUMN previous_until BIGINT;
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
-- The processes that run jobs.
CREATE TABLE workers (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    host TEXT NOT NULL,
    concurrency BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);
