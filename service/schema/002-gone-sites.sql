-- Sites that have jobs, but that the service no longer has, and since when rounds of the retention have missed them.
CREATE TABLE gone_sites (
    domain TEXT PRIMARY KEY,
    gone_since BIGINT NOT NULL
);
