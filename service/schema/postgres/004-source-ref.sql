-- The commit that a job exports, of a site in a repository; null until its first run has fetched it.
ALTER TABLE static_export_jobs ADD COLUMN source_ref TEXT;
