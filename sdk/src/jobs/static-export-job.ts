import { type exportJobStatuses, type ExportWarnings } from "@pulumi-static-export/contract";
import {
    type Clean,
    decodeDateTime,
    decodeId,
    decodeLink,
    decodeNumber,
    decodeObject,
    DecodeProblem,
    decodeSize,
    decodeText,
    type JsonObject,
    optionalField,
    decodeList,
} from "../http/decode.js";
import { parseLinkExpiry } from "../bundle/link-expiry.js";
import { decodeExportWarnings } from "./export-warnings.js";

/** `completed` and `failed` come from the contract, `queued` and `running` from the public platform. */
export type KnownStaticExportJobStatus = (typeof exportJobStatuses)[number];
/** An unknown status is passed on unchanged: it neither ends polling nor speeds it up. */
export type StaticExportJobStatus = KnownStaticExportJobStatus | (string & {});

/** The statuses that end an export job, and with it polling. */
export const terminalStaticExportJobStatuses: ReadonlySet<string> = new Set<KnownStaticExportJobStatus>([
    "completed",
    "failed",
]);

/**
 * Fields that the contract does not guarantee or whose types it does not specify. Absent if the server sends other
 * types.
 */
interface JobDetails {
    /** Percent, 0 to 100, on the public platform. */
    progress?: number;
    /** Pages exported so far. */
    pageCount?: number;
    /** RFC 3339 date-time. */
    createdAt?: string;
    /** RFC 3339 date-time. */
    updatedAt?: string;
    /**
     * The commit that the job exports, if the site is in a repository. Only the self-hosted service reports the commit;
     * the contract does not contain this field.
     */
    sourceRef?: string;
    /** Why the job failed, shortened to one line. */
    error?: string;
    /**
     * The mistakes in the site, for a job that completed, or that failed because of them on a strict service. Only the
     * self-hosted service reports the mistakes; the contract does not contain this field.
     */
    warnings?: ExportWarnings;
}

/** The response to a start: the contract guarantees only `jobId`, the public platform returns the whole job. */
export interface StartedStaticExportJob extends JobDetails {
    jobId: string;
    status?: StaticExportJobStatus;
}

/**
 * An export job as returned by its status endpoint. If the response omits `jobId`, the property contains the requested
 * id.
 */
export interface StaticExportJob extends JobDetails {
    jobId: string;
    status: StaticExportJobStatus;
}

/** The response to `POST /v1/static-export/jobs/{jobId}/bundle`. */
export interface StaticExportBundle {
    /** The requested id if the server omits it. */
    jobId: string;
    /** A presigned link. Treat it as a secret, because it gives access to the archive. */
    bundleUrl: string;
    /** RFC 3339 date-time, from the API or otherwise from the link itself; absent if neither contains it. */
    expiresAt?: string;
    /** Size of the archive in bytes. */
    sizeBytes?: number;
    /** RFC 3339 date-time in whole seconds: the server's clock when it created the link, from the Date header. */
    serverTimeAt?: string;
}

/** An export job in a list of jobs. */
export interface StaticExportRecord extends StaticExportJob {
    /** The label that the start request contained. */
    version?: string;
    /** Absent in answers of servers that list only one domain. */
    domain?: string;
    /** The name of the key, or of the person, that started the job. */
    key?: string;
    /** Whether somebody cancelled the job. */
    cancelled?: boolean;
    /** Size of the archive in bytes; absent without an archive. */
    sizeBytes?: number;
    /** SHA-256 of the archive in hexadecimal; absent without an archive. */
    sha256?: string;
}

function decodeDetails(job: JsonObject, clean: Clean): JobDetails {
    return {
        ...optionalField(job, "progress", decodeNumber),
        ...optionalField(job, "pageCount", decodeNumber),
        ...optionalField(job, "createdAt", decodeDateTime),
        ...optionalField(job, "updatedAt", decodeDateTime),
        ...optionalField(job, "sourceRef", (object, key) => decodeText(object, key, clean)),
        ...optionalField(job, "error", (object, key) => decodeText(object, key, clean)),
        ...optionalField(job, "warnings", (object, key) => decodeExportWarnings(object, key, clean)),
    };
}

/** Rejects a response about a job other than the requested one. */
function decodeSameJobId(object: JsonObject, jobId: string, clean: Clean): string {
    const answered = (object["jobId"] ?? null) === null ? jobId : decodeId(object, "jobId", clean);
    if (answered !== jobId) {
        throw new DecodeProblem(`"jobId" must be ${jobId}, got the id of another job`);
    }
    return answered;
}

export function decodeStartedStaticExportJob(answer: unknown, clean: Clean): StartedStaticExportJob {
    const job = decodeObject(answer);
    return {
        jobId: decodeId(job, "jobId", clean),
        ...optionalField(job, "status", (object, key) => decodeText(object, key, clean)),
        ...decodeDetails(job, clean),
    };
}

export function decodeStaticExportJob(answer: unknown, clean: Clean, jobId: string): StaticExportJob {
    const job = decodeObject(answer);
    return {
        jobId: decodeSameJobId(job, jobId, clean),
        status: decodeText(job, "status", clean),
        ...decodeDetails(job, clean),
    };
}

export function decodeStaticExportBundle(
    answer: unknown,
    clean: Clean,
    jobId: string,
    serverTimeMs: number | undefined,
): StaticExportBundle {
    const bundle = decodeObject(answer);
    const bundleUrl = decodeLink(bundle, "bundleUrl");
    const expiryInLink = parseLinkExpiry(bundleUrl)?.toISOString();
    return {
        jobId: decodeSameJobId(bundle, jobId, clean),
        bundleUrl,
        ...(expiryInLink === undefined ? {} : { expiresAt: expiryInLink }),
        ...optionalField(bundle, "expiresAt", decodeDateTime),
        ...optionalField(bundle, "sizeBytes", decodeSize),
        ...(serverTimeMs === undefined ? {} : { serverTimeAt: new Date(serverTimeMs).toISOString() }),
    };
}

export function decodeStaticExportRecords(answer: unknown, clean: Clean): StaticExportRecord[] {
    const decode = (job: JsonObject) => decodeRecord(job, decodeId(job, "jobId", clean), clean);
    return decodeList(decodeObject(answer), "jobs", decode, "each job");
}

/** What the self-hosted service knows about a job beyond the contract. */
export interface StaticExportDetails extends StaticExportRecord {
    /** How many runs the job has had. */
    attempts: number;
    /** The steps of the last run, in order. */
    phases: { name: string; durationMs: number }[];
    /** What the runs did. */
    log: { at: string; message: string }[];
}

export function decodeStaticExportDetails(answer: unknown, clean: Clean, jobId: string): StaticExportDetails {
    const job = decodeObject(answer);
    return {
        ...decodeRecord(job, jobId, clean),
        attempts: decodeNumber(job, "attempts"),
        phases: decodeList(job, "phases", (phase) => ({
            name: decodeText(phase, "name", clean),
            durationMs: decodeNumber(phase, "durationMs"),
        })),
        log: decodeList(job, "log", (line) => ({
            at: decodeDateTime(line, "at"),
            message: decodeText(line, "message", clean),
        })),
    };
}

function decodeRecord(job: JsonObject, jobId: string, clean: Clean): StaticExportRecord {
    return {
        ...decodeStaticExportJob(job, clean, jobId),
        ...optionalField(job, "domain", (object, key) => decodeText(object, key, clean)),
        ...optionalField(job, "version", (object, key) => decodeText(object, key, clean)),
        ...optionalField(job, "key", (object, key) => decodeText(decodeObject(object[key], key), "name", clean)),
        ...(job["cancelled"] === true ? { cancelled: true } : {}),
        ...optionalField(job, "sizeBytes", decodeSize),
        ...optionalField(job, "sha256", (object, key) => decodeText(object, key, clean)),
    };
}
