-- The site and the branch that a job previews; null for a job of the site itself.
ALTER TABLE static_export_jobs ADD COLUMN preview_of TEXT;
ALTER TABLE static_export_jobs ADD COLUMN branch TEXT;
