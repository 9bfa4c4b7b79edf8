-- Until when an earlier secret is still accepted, after its rotation; null for the one that signs.
ALTER TABLE secrets ADD COLUMN valid_until BIGINT;
