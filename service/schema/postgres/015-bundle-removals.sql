-- Archives that are being removed from the storage, which takes place outside of transactions: no run stores them meanwhile.
CREATE TABLE bundle_removals (
    sha256 TEXT PRIMARY KEY,
    began_at BIGINT NOT NULL
);
