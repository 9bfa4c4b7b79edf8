/** The statuses of an export job in the API. */
export const exportJobStatuses = ["queued", "running", "completed", "failed"] as const;

/**
 * How people see a job: one that somebody, or its own build, cancelled has the status `failed` in the API, and has not
 * failed.
 */
export const shownJobStatuses = [...exportJobStatuses, "cancelled"] as const;

export const agentJobStatuses = ["active", "completed", "archived", "failed"] as const;

/**
 * How the service shows a site, those that need attention first. `stale`: the last export is older than the published
 * commit. `never`: there is no export yet, or all were removed. `cancelled`: somebody cancelled the last export.
 */
export const siteStates = ["failed", "stale", "never", "cancelled", "running", "queued", "completed"] as const;
