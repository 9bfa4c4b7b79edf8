-- When the storage was last listed for bundles that the database does not know.
ALTER TABLE retention_rounds ADD COLUMN listed_at BIGINT NOT NULL DEFAULT 0;
