-- An update runs as a job whose kind is 'update'. The newest completed one of a domain decides which commit is exported.
ALTER TABLE static_export_jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'export';
-- The project that an update was started for, and what started it.
ALTER TABLE static_export_jobs ADD COLUMN project_id TEXT;
ALTER TABLE static_export_jobs ADD COLUMN started_by TEXT;
-- Message, author and changed files of an update's commit, as JSON.
ALTER TABLE static_export_jobs ADD COLUMN commit_details TEXT;
