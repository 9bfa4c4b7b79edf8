import { type CountedWarnings } from "@pulumi-static-export/exporter";
import { type CommitDetails } from "./commit-details.js";
import { type LiveProgress } from "./live-progress.js";

export const siteJobStatuses = ["queued", "running", "completed", "failed"] as const;
export type SiteJobStatus = (typeof siteJobStatuses)[number];

/** Whether a job waits or runs. */
export function isUnfinished({ status }: { readonly status: SiteJobStatus }): boolean {
    return status === "queued" || status === "running";
}

/** An update builds the site and publishes its commit; it stores no bundle. */
export type SiteJobKind = "export" | "update";

/** A branch that is exported under its own domain. */
export interface Preview {
    /** The domain of the site that the branch belongs to. */
    of: string;
    branch: string;
}

/** An export or an update of a site. */
export interface SiteJob {
    jobId: string;
    kind: SiteJobKind;
    domain: string;
    version: string | null;
    paths: readonly string[] | null;
    status: SiteJobStatus;
    /**
     * How often the job was started, except for starts after which a worker put it back in the queue on purpose. More
     * than 1 if the job was interrupted.
     */
    starts: number;
    /**
     * The number of the job's newest start. Every write of a run contains this number, so that a run that was replaced
     * changes nothing.
     */
    attempt: number;
    /** Percent, 0 to 100. */
    progress: number;
    pageCount: number;
    /**
     * For a site in a repository, the commit that the job's runs export; null until the first run has fetched the
     * commit.
     */
    sourceRef: string | null;
    /** The project for which an update was started; null for an export. */
    projectId: string | null;
    /** The trigger of an update, such as `api`; null for an export. */
    startedBy: string | null;
    /** The branch that the job previews; null for a job of the site itself. */
    preview: Preview | null;
    /** The details of an update's commit; null until the update's first run has fetched the commit. */
    commitDetails: CommitDetails | null;
    /** The span of the request that started the job. */
    traceParent: string | null;
    /** Only when failed. */
    error: string | null;
    /** Size and digest of the archive, only when completed. */
    sizeBytes: number | null;
    sha256: string | null;
    /** Warnings for the site's authors, only when completed. */
    warnings: CountedWarnings | null;
    createdAt: Date;
    updatedAt: Date;
}

/**
 * A row of `static_export_jobs`, which also holds updates. The table keeps its name, because processes of the previous
 * release use it during a rollout.
 */
export interface SiteJobRow {
    job_id: string;
    kind: SiteJobKind;
    domain: string;
    version: string | null;
    paths: string | null;
    status: SiteJobStatus;
    starts: number;
    attempt: number;
    progress: number;
    page_count: number;
    source_ref: string | null;
    project_id: string | null;
    started_by: string | null;
    queued_by: string | null;
    cancellation: string | null;
    answered_by: string | null;
    preview_of: string | null;
    branch: string | null;
    commit_details: string | null;
    trace_parent: string | null;
    error: string | null;
    size_bytes: number | null;
    sha256: string | null;
    warnings: string | null;
    created_at: number;
    updated_at: number;
}

export function toSiteJob(row: SiteJobRow, liveProgress: LiveProgress): SiteJob {
    const live = row.status === "running" ? liveProgress.of(row.job_id, row.attempt) : undefined;
    return {
        jobId: row.job_id,
        kind: row.kind,
        domain: row.domain,
        version: row.version,
        paths: row.paths === null ? null : (JSON.parse(row.paths) as string[]),
        status: row.status,
        starts: row.starts,
        attempt: row.attempt,
        progress: row.status === "completed" ? 100 : (live?.progress ?? row.progress),
        pageCount: live?.pageCount ?? row.page_count,
        sourceRef: row.source_ref,
        projectId: row.project_id,
        startedBy: row.started_by,
        preview: row.preview_of === null ? null : { of: row.preview_of, branch: row.branch ?? "" },
        commitDetails: row.commit_details === null ? null : (JSON.parse(row.commit_details) as CommitDetails),
        traceParent: row.trace_parent,
        error: row.error,
        sizeBytes: row.size_bytes,
        sha256: row.sha256,
        warnings: row.warnings === null ? null : (JSON.parse(row.warnings) as CountedWarnings),
        createdAt: new Date(row.created_at),
        updatedAt: new Date(Math.max(row.updated_at, live?.updatedAt ?? 0)),
    };
}

/** The domain of the site that a job belongs to. */
export function siteOf({ preview, domain }: Pick<SiteJob, "preview" | "domain">): string {
    return preview?.of ?? domain;
}
