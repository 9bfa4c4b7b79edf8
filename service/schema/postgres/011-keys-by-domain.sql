-- Keys of starts are independent for each domain.
UPDATE idempotency_keys SET scope = 'start ' || job.domain
FROM static_export_jobs AS job WHERE scope = 'start' AND job.job_id = idempotency_keys.job_id;
