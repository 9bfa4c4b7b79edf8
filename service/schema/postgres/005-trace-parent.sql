-- The span of the request that started a job, as W3C's traceparent; null if the service is not traced.
ALTER TABLE static_export_jobs ADD COLUMN trace_parent TEXT;
