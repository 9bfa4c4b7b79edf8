-- Which key queued a job, and why it is no longer wanted.
ALTER TABLE static_export_jobs ADD COLUMN queued_by TEXT;
ALTER TABLE static_export_jobs ADD COLUMN cancellation TEXT;
-- The order in which keys and domains were served last.
CREATE TABLE export_turns (
    name TEXT PRIMARY KEY,
    turn BIGINT NOT NULL
);
