-- Caches of pages in the bucket, a row a file: recorded before it is uploaded, and current once all files of an export are there.
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
