-- When the last round of the retention began in any process, and when the last one that removed everything ended.
CREATE TABLE retention_rounds (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    began_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL
);
INSERT INTO retention_rounds VALUES (1, 0, (extract(epoch FROM now()) * 1000)::bigint);
-- For the autoscaler and the metrics, which count these again and again.
CREATE INDEX unfinished_static_export_jobs ON static_export_jobs (status) WHERE status IN ('queued', 'running');
