-- Archives that were, or are about to be, stored in a bucket: nothing is there that does not stand here.
CREATE TABLE stored_bundles (
    sha256 TEXT PRIMARY KEY,
    size_bytes BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX stored_bundles_by_age ON stored_bundles (recorded_at);
