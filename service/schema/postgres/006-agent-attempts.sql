-- Which run of a prompt holds it, how often it was started, and the change that its runs made.
ALTER TABLE agent_prompts
    ADD COLUMN attempt BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN ticks BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN starts BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN branch TEXT,
    ADD COLUMN base TEXT,
    ADD COLUMN commits TEXT,
    ADD COLUMN is_follow_up BIGINT NOT NULL DEFAULT 0;
CREATE INDEX waiting_agent_prompts ON agent_prompts (state, sequence) WHERE state <> 'done';
CREATE UNIQUE INDEX one_running_prompt_per_job ON agent_prompts (job_id) WHERE state = 'running';
-- The order in which projects were served last.
CREATE TABLE agent_turns (
    project_id TEXT PRIMARY KEY,
    turn BIGINT NOT NULL
);
