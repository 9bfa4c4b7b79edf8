import { type ExportRequest, type exportJobStatuses, type shownJobStatuses } from "@pulumi-static-export/contract";
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

/** A field of a job: the column that stores it, and how it is read. */
interface JobField<Column extends string, Stored, Value> {
    readonly column: Column;
    readonly read: (stored: Stored) => Value;
}

type JobFields = Readonly<Record<string, JobField<string, never, unknown>>>;
type RowOf<Fields extends JobFields> = {
    [Name in keyof Fields as Fields[Name]["column"]]: Parameters<Fields[Name]["read"]>[0];
};
type ValuesOf<Fields extends JobFields> = { -readonly [Name in keyof Fields]: ReturnType<Fields[Name]["read"]> };

function stored<Column extends string, Stored, Value>(
    column: Column,
    read: (stored: Stored) => Value,
): JobField<Column, Stored, Value> {
    return { column, read };
}

const text = (stored: string): string => stored;
const textOrNull = (stored: string | null): string | null => stored;
const numberOf = (stored: number): number => stored;
const date = (stored: number): Date => new Date(stored);
const jsonOrNull =
    <Value>(otherwise: Value | null = null) =>
    (stored: string | null): Value | null =>
        stored === null ? null : (parse<Value>(stored) ?? otherwise);

/** The fields of an export or an update of a site, without its large parts: lists of jobs contain them. */
export const summaryFields = {
    jobId: stored("job_id", text),
    kind: stored("kind", (stored: SiteJobKind): SiteJobKind => stored),
    domain: stored("domain", text),
    /** The site whose branch is previewed; null for a job of the site itself. */
    previewOf: stored("preview_of", textOrNull),
    branch: stored("branch", textOrNull),
    version: stored("version", textOrNull),
    status: stored("status", (stored: SiteJobStatus): SiteJobStatus => stored),
    /**
     * The number of the job's newest start. Every write of a run contains this number, so that a run that was replaced
     * changes nothing.
     */
    attempt: stored("attempt", numberOf),
    /** Percent, 0 to 100. Rows of earlier releases may contain any number that a builder printed. */
    progress: stored("progress", (stored: number): number => boundedCount(stored, 100)),
    pageCount: stored("page_count", (stored: number): number => boundedCount(stored)),
    /**
     * For a site in a repository, the commit that the job's runs export; null until the first run has fetched the
     * commit.
     */
    sourceRef: stored("source_ref", textOrNull),
    /** The key that started the job: its id, `webhook`, or null for the service's own key. */
    queuedBy: stored("queued_by", textOrNull),
    /** The project for which an update was started; null for an export. */
    projectId: stored("project_id", textOrNull),
    /** The trigger of an update, such as `api`; null for an export. */
    startedBy: stored("started_by", textOrNull),
    /** Only when failed. */
    error: stored("error", textOrNull),
    /**
     * Whether somebody cancelled the job, or its build skipped its commit; its status is failed as soon as it has
     * stopped.
     */
    isCancelled: stored("cancellation", (stored: string | null): boolean => stored !== null),
    /** Size and digest of the archive, only when completed. */
    sizeBytes: stored("size_bytes", (stored: number | null): number | null => stored),
    sha256: stored("sha256", textOrNull),
    createdAt: stored("created_at", date),
    updatedAt: stored("updated_at", date),
};

/** The fields that only the job itself shows. */
const largeFields = {
    /** A job whose pages cannot be read exports none, and fails. */
    paths: stored("paths", jsonOrNull<readonly string[]>([])),
    /**
     * How often the job was started, except for starts after which a worker put it back in the queue on purpose. More
     * than 1 if the job was interrupted.
     */
    starts: stored("starts", numberOf),
    /** The details of an update's commit; null until the update's first run has fetched the commit. */
    commitDetails: stored("commit_details", jsonOrNull<CommitDetails>()),
    /** The span of the request that started the job. */
    traceParent: stored("trace_parent", textOrNull),
    /** Warnings for the site's authors, only when completed. */
    warnings: stored("warnings", jsonOrNull<CountedWarnings>()),
};

export type JobSummary = ValuesOf<typeof summaryFields>;

export interface SiteJob extends JobSummary, ValuesOf<typeof largeFields> {
    /** The branch that the job previews; null for a job of the site itself. */
    preview: Preview | null;
}

export type SummaryRow = RowOf<typeof summaryFields>;

/**
 * A row of `static_export_jobs`, which also holds updates. The table keeps its name, because processes of the previous
 * release use it during a rollout.
 */
export interface SiteJobRow extends SummaryRow, RowOf<typeof largeFields> {
    answered_by: string | null;
}

type Requested = { [Name in Exclude<keyof ExportRequest, "domain">]?: NonNullable<ExportRequest[Name]> };

/** The columns of an export's request, besides its domain: jobs with equal values export the same. */
export const requestColumns = { version: "version", paths: "paths" } as const satisfies Record<
    keyof Requested,
    keyof SiteJobRow
>;

const requestNames = Object.keys(requestColumns) as (keyof Requested)[];

/** The request of a job, without its domain. */
export function requestOf(job: Pick<SiteJob, keyof Requested>): Requested {
    return Object.fromEntries(requestNames.flatMap((name) => (job[name] === null ? [] : [[name, job[name]]])));
}

/** The values of the columns. */
export function storedRequest(request: Omit<ExportRequest, "domain">): Record<string, string | null> {
    const textOf = (value: Requested[keyof Requested] | undefined) =>
        value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);
    return Object.fromEntries(requestNames.map((name) => [requestColumns[name], textOf(request[name])]));
}

function read<Fields extends JobFields>(fields: Fields, row: RowOf<Fields>): ValuesOf<Fields> {
    const columns = row as Readonly<Record<string, never>>;
    const values = Object.entries(fields).map(([name, field]) => [name, field.read(columns[field.column]!)]);
    return Object.fromEntries(values) as ValuesOf<Fields>;
}

export function toSummary(row: SummaryRow, liveProgress: LiveProgress): JobSummary {
    const summary = read(summaryFields, row);
    const live = row.status === "running" ? liveProgress.of(row.job_id, row.attempt) : undefined;
    return {
        ...summary,
        progress: row.status === "completed" ? 100 : (live?.progress ?? summary.progress),
        pageCount: live?.pageCount ?? summary.pageCount,
        updatedAt: new Date(Math.max(row.updated_at, live?.updatedAt ?? 0)),
    };
}

export function toSiteJob(row: SiteJobRow, liveProgress: LiveProgress): SiteJob {
    return {
        ...toSummary(row, liveProgress),
        ...read(largeFields, row),
        preview: row.preview_of === null ? null : { of: row.preview_of, branch: row.branch ?? "" },
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
