import { type exportJobStatuses } from "@pulumi-static-export/contract";
import { parseLinkExpiry } from "../bundle/link-expiry.js";
import {
    answer,
    type Clean,
    dateTime,
    type Decoded,
    type Decoder,
    DecodeProblem,
    field,
    fields,
    id,
    link,
    list,
    number,
    optional,
    size,
    text,
} from "../http/decode.js";
import { exportWarnings } from "./export-warnings.js";

/** `completed` and `failed` come from the contract, `queued` and `running` from the public platform. */
export type KnownStaticExportJobStatus = (typeof exportJobStatuses)[number];
/** An unknown status is passed on unchanged: it neither ends polling nor speeds it up. */
export type StaticExportJobStatus = KnownStaticExportJobStatus | (string & {});

/** The statuses that end an export job, and with it polling. */
export const terminalStaticExportJobStatuses: ReadonlySet<string> = new Set<KnownStaticExportJobStatus>([
    "completed",
    "failed",
]);

const status: Decoder<StaticExportJobStatus> = text;

/**
 * Fields that the contract does not guarantee or whose types it does not specify. Absent if the server sends other
 * types.
 */
const details = {
    /** Percent, 0 to 100, on the public platform. */
    progress: optional(number),
    /** Pages exported so far. */
    pageCount: optional(number),
    /** RFC 3339 date-time. */
    createdAt: optional(dateTime),
    /** RFC 3339 date-time. */
    updatedAt: optional(dateTime),
    /**
     * The commit that the job exports, if the site is in a repository. Only the self-hosted service reports the commit;
     * the contract does not contain this field.
     */
    sourceRef: optional(text),
    /** Why the job failed, shortened to one line. */
    error: optional(text),
    /**
     * The mistakes in the site, for a job that completed, or that failed because of them on a strict service. Only the
     * self-hosted service reports the mistakes; the contract does not contain this field.
     */
    warnings: optional(exportWarnings),
};

const startedJob = { jobId: id, status: optional(status), ...details };

/** The response to a start: the contract guarantees only `jobId`, the public platform returns the whole job. */
export type StartedStaticExportJob = Decoded<typeof startedJob>;
export const decodeStartedStaticExportJob = answer(fields(startedJob));

const job = { jobId: id, status, ...details };

/**
 * An export job as returned by its status endpoint. If the response omits `jobId`, the property contains the requested
 * id.
 */
export type PlatformExportJob = Decoded<typeof job>;

export function decodeStaticExportJob(body: unknown, clean: Clean, jobId: string): PlatformExportJob {
    return answer(fields({ ...job, jobId: requested(jobId) }))(body, clean);
}

/** Rejects a response about a job other than the requested one. */
function requested(jobId: string): Decoder<string> {
    return (value, what, clean) => {
        if ((value ?? null) !== null && id(value, what, clean) !== jobId) {
            throw new DecodeProblem(`${what} must be ${jobId}, got the id of another job`);
        }
        return jobId;
    };
}

const bundle = {
    /** A presigned link. Treat it as a secret, because it gives access to the archive. */
    bundleUrl: link,
    /** The requested id if the server omits it. */
    jobId: id,
    /** RFC 3339 date-time, from the API or otherwise from the link itself; absent if neither contains it. */
    expiresAt: optional(dateTime),
    /** Size of the archive in bytes. */
    sizeBytes: optional(size),
};

/** The response to `POST /v1/static-export/jobs/{jobId}/bundle`. */
export type BundleLink = Decoded<typeof bundle> & {
    /** RFC 3339 date-time in whole seconds: the server's clock when it created the link, from the Date header. */
    serverTimeAt?: string;
};

export function decodeStaticExportBundle(
    body: unknown,
    clean: Clean,
    jobId: string,
    serverTimeMs: number | undefined,
): BundleLink {
    const decoded = answer(fields({ ...bundle, jobId: requested(jobId) }))(body, clean);
    const expiresAt = decoded.expiresAt ?? parseLinkExpiry(decoded.bundleUrl)?.toISOString();
    return {
        ...decoded,
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(serverTimeMs === undefined ? {} : { serverTimeAt: new Date(serverTimeMs).toISOString() }),
    };
}

const isTrue: Decoder<boolean> = (value, what) => {
    if (value !== true) {
        throw new DecodeProblem(`${what} must be true`);
    }
    return true;
};

const record = {
    ...job,
    /** Absent in answers of servers that list only one domain. */
    domain: optional(text),
    /** The label that the start request contained. */
    version: optional(text),
    /** The name of the key, or of the person, that started the job. */
    key: optional(field("name", text)),
    /** Whether somebody cancelled the job. */
    cancelled: optional(isTrue),
    /** Size of the archive in bytes; absent without an archive. */
    sizeBytes: optional(size),
    /** SHA-256 of the archive in hexadecimal; absent without an archive. */
    sha256: optional(text),
};

/** An export job in a list of jobs. */
export type StaticExportRecord = Decoded<typeof record>;
export const decodeStaticExportRecords = answer(field("jobs", list(fields(record), "each job")));

const recordWithLog = {
    ...record,
    /** How many runs the job has had. */
    attempts: number,
    /** The steps of the last run, in order. */
    phases: list(fields({ name: text, durationMs: number })),
    /** What the runs did. */
    log: list(fields({ at: dateTime, message: text })),
};

/** What the self-hosted service knows about a job beyond the contract. */
export type StaticExportDetails = Decoded<typeof recordWithLog>;

export function decodeStaticExportDetails(body: unknown, clean: Clean, jobId: string): StaticExportDetails {
    return answer(fields({ ...recordWithLog, jobId: requested(jobId) }))(body, clean);
}
