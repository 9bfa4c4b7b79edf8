-- Logs of agents' runs in the bucket, each recorded before it is uploaded.
CREATE TABLE agent_logs (
    job_id TEXT NOT NULL,
    attempt BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (job_id, attempt)
);
CREATE INDEX old_agent_logs ON agent_logs (recorded_at);
