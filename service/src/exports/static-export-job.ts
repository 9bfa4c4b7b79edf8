import { type CountedWarnings } from "@pulumi-static-export/exporter";
import { type LiveProgress } from "./live-progress.js";

export const staticExportStatuses = ["queued", "running", "completed", "failed"] as const;
export type StaticExportStatus = (typeof staticExportStatuses)[number];

export interface StaticExportJob {
    jobId: string;
    domain: string;
    version: string | null;
    paths: readonly string[] | null;
    status: StaticExportStatus;
    /** How often it was started and not given back on purpose: more than once if it was interrupted. */
    starts: number;
    /** The number of its newest start; every write about a run names it, so that a run that was replaced changes nothing. */
    attempt: number;
    /** Percent, 0 to 100. */
    progress: number;
    pageCount: number;
    /** The commit that its runs export, of a site in a repository; null until the first run has fetched it. */
    sourceRef: string | null;
    /** The span of the request that started it. */
    traceParent: string | null;
    /** Only when failed. */
    error: string | null;
    /** Size and digest of the archive, only when completed. */
    sizeBytes: number | null;
    sha256: string | null;
    /** What the site's authors should know, only when completed. */
    warnings: CountedWarnings | null;
    createdAt: Date;
    updatedAt: Date;
}

export interface StaticExportRow {
    job_id: string;
    domain: string;
    version: string | null;
    paths: string | null;
    status: StaticExportStatus;
    starts: number;
    attempt: number;
    progress: number;
    page_count: number;
    source_ref: string | null;
    trace_parent: string | null;
    error: string | null;
    size_bytes: number | null;
    sha256: string | null;
    warnings: string | null;
    created_at: number;
    updated_at: number;
}

export function toStaticExportJob(row: StaticExportRow, liveProgress: LiveProgress): StaticExportJob {
    const live = row.status === "running" ? liveProgress.of(row.job_id, row.attempt) : undefined;
    return {
        jobId: row.job_id,
        domain: row.domain,
        version: row.version,
        paths: row.paths === null ? null : (JSON.parse(row.paths) as string[]),
        status: row.status,
        starts: row.starts,
        attempt: row.attempt,
        progress: row.status === "completed" ? 100 : (live?.progress ?? row.progress),
        pageCount: live?.pageCount ?? row.page_count,
        sourceRef: row.source_ref,
        traceParent: row.trace_parent,
        error: row.error,
        sizeBytes: row.size_bytes,
        sha256: row.sha256,
        warnings: row.warnings === null ? null : (JSON.parse(row.warnings) as CountedWarnings),
        createdAt: new Date(row.created_at),
        updatedAt: new Date(Math.max(row.updated_at, live?.updatedAt ?? 0)),
    };
}
