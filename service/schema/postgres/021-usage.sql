-- For the storage that each site uses, which is counted without reading the jobs.
CREATE INDEX static_export_bundles ON static_export_jobs (domain, sha256, size_bytes) WHERE sha256 IS NOT NULL;
-- The name that people gave to a key, if a key that they do not see has the same one; null if it is the name.
ALTER TABLE admin_keys ADD COLUMN title TEXT;
CREATE INDEX admin_keys_by_title ON admin_keys (title) WHERE title IS NOT NULL;
