-- When the retention first saw that a job had ended.
ALTER TABLE agent_jobs ADD COLUMN seen_ended_at BIGINT;
CREATE INDEX ended_agent_jobs ON agent_jobs (seen_ended_at) WHERE status <> 'active';
