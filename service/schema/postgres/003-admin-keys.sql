-- Keys of clients, beside the one in the file. A key itself is nowhere: only its SHA-256, of 256 random bits.
CREATE TABLE admin_keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    domains TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
);
CREATE UNIQUE INDEX one_admin_key_of_a_name ON admin_keys (name) WHERE revoked_at IS NULL;
