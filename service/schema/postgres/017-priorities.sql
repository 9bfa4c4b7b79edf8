-- The job whose run answers this one, too; how urgent a job is; and how many jobs its key may run at once.
ALTER TABLE static_export_jobs ADD COLUMN answered_by TEXT;
ALTER TABLE static_export_jobs ADD COLUMN priority BIGINT NOT NULL DEFAULT 0;
ALTER TABLE static_export_jobs ADD COLUMN max_running BIGINT;
CREATE INDEX answered_static_export_jobs ON static_export_jobs (answered_by)
    WHERE answered_by IS NOT NULL;
ALTER TABLE admin_keys ADD COLUMN priority TEXT NOT NULL DEFAULT 'normal';
ALTER TABLE admin_keys ADD COLUMN max_queued BIGINT;
ALTER TABLE admin_keys ADD COLUMN max_running BIGINT;
