import { type exportJobStatuses, type shownJobStatuses } from "@pulumi-static-export/contract";
import { type CountedWarnings } from "@pulumi-static-export/exporter";
import { boundedCount } from "../shared/bounded-count.js";
import { type CommitDetails } from "./commit-details.js";
import { type LiveProgress } from "./live-progress.js";

export type SiteJobStatus = (typeof exportJobStatuses)[number];
export type ShownStatus = (typeof shownJobStatuses)[number];

export function shownStatusOf(status: SiteJobStatus, isCancelled: boolean | undefined): ShownStatus {
    return status === "failed" && isCancelled === true ? "cancelled" : status;
}

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

/** An export or an update of a site, without its large parts. */
export interface JobSummary {
    jobId: string;
    kind: SiteJobKind;
    domain: string;
    /** The site whose branch is previewed; null for a job of the site itself. */
    previewOf: string | null;
    branch: string | null;
    version: string | null;
    status: SiteJobStatus;
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
    /** The key that started the job: its id, `webhook`, or null for the service's own key. */
    queuedBy: string | null;
    /** The project for which an update was started; null for an export. */
    projectId: string | null;
    /** The trigger of an update, such as `api`; null for an export. */
    startedBy: string | null;
    /** Only when failed. */
    error: string | null;
    /** Whether somebody cancelled the job; its status is failed as soon as it has stopped. */
    isCancelled: boolean;
    /** Size and digest of the archive, only when completed. */
    sizeBytes: number | null;
    sha256: string | null;
    createdAt: Date;
    updatedAt: Date;
}

export interface SiteJob extends JobSummary {
    paths: readonly string[] | null;
    /**
     * How often the job was started, except for starts after which a worker put it back in the queue on purpose. More
     * than 1 if the job was interrupted.
     */
    starts: number;
    /** The branch that the job previews; null for a job of the site itself. */
    preview: Preview | null;
    /** The details of an update's commit; null until the update's first run has fetched the commit. */
    commitDetails: CommitDetails | null;
    /** The span of the request that started the job. */
    traceParent: string | null;
    /** Warnings for the site's authors, only when completed. */
    warnings: CountedWarnings | null;
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

export type SummaryRow = Omit<
    SiteJobRow,
    "paths" | "starts" | "answered_by" | "commit_details" | "trace_parent" | "warnings"
>;

export function toSummary(row: SummaryRow, liveProgress: LiveProgress): JobSummary {
    const live = row.status === "running" ? liveProgress.of(row.job_id, row.attempt) : undefined;
    return {
        jobId: row.job_id,
        kind: row.kind,
        domain: row.domain,
        previewOf: row.preview_of,
        branch: row.branch,
        version: row.version,
        status: row.status,
        attempt: row.attempt,
        // Rows of earlier releases may contain any number that a builder printed.
        progress: row.status === "completed" ? 100 : (live?.progress ?? boundedCount(row.progress, 100)),
        pageCount: live?.pageCount ?? boundedCount(row.page_count),
        sourceRef: row.source_ref,
        queuedBy: row.queued_by,
        projectId: row.project_id,
        startedBy: row.started_by,
        error: row.error,
        isCancelled: row.cancellation !== null,
        sizeBytes: row.size_bytes,
        sha256: row.sha256,
        createdAt: new Date(row.created_at),
        updatedAt: new Date(Math.max(row.updated_at, live?.updatedAt ?? 0)),
    };
}

export function toSiteJob(row: SiteJobRow, liveProgress: LiveProgress): SiteJob {
    return {
        ...toSummary(row, liveProgress),
        // A job whose pages cannot be read exports none, and fails.
        paths: row.paths === null ? null : (parse<string[]>(row.paths) ?? []),
        starts: row.starts,
        preview: row.preview_of === null ? null : { of: row.preview_of, branch: row.branch ?? "" },
        commitDetails: row.commit_details === null ? null : parse<CommitDetails>(row.commit_details),
        traceParent: row.trace_parent,
        warnings: row.warnings === null ? null : parse<CountedWarnings>(row.warnings),
    };
}

/** A broken value of one row must not break every list that contains it, nor every claim. */
function parse<T>(text: string): T | null {
    try {
        return JSON.parse(text) as T;
    } catch {
        return null;
    }
}

/** The domain of the site that a job belongs to. */
export function siteOf({ previewOf, domain }: Pick<JobSummary, "previewOf" | "domain">): string {
    return previewOf ?? domain;
}
