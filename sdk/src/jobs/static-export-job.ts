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
} from "../http/decode.js";
import { parseLinkExpiry } from "../bundle/link-expiry.js";

/** `completed` and `failed` come from the contract, `queued` and `running` from the public platform. */
export type KnownStaticExportJobStatus = "queued" | "running" | "completed" | "failed";
/** A status that is not known is kept as it is: neither terminal nor a reason to poll faster. */
export type StaticExportJobStatus = KnownStaticExportJobStatus | (string & {});

export const knownStaticExportJobStatuses: ReadonlySet<string> = new Set<KnownStaticExportJobStatus>([
    "queued",
    "running",
    "completed",
    "failed",
]);

/** The statuses that end an export job: polling stops at one of these and at nothing else. */
export const terminalStaticExportJobStatuses: ReadonlySet<string> = new Set<KnownStaticExportJobStatus>([
    "completed",
    "failed",
]);

/** What the contract does not promise, or leaves the type of open: absent when the server sends something else. */
interface JobDetails {
    /** Percent, 0 to 100, on the public platform. */
    progress?: number;
    /** Pages exported so far. */
    pageCount?: number;
    /** RFC 3339 date-time. */
    createdAt?: string;
    /** RFC 3339 date-time. */
    updatedAt?: string;
    /** Why the job failed: bounded and on one line. */
    error?: string;
}

/** The answer to a start: the contract promises `jobId` alone, the public platform the whole job. */
export interface StartedStaticExportJob extends JobDetails {
    jobId: string;
    status?: StaticExportJobStatus;
}

/** An export job as its status endpoint shows it. `jobId` is the one asked for when the server leaves it out. */
export interface StaticExportJob extends JobDetails {
    jobId: string;
    status: StaticExportJobStatus;
}

/** What `POST /v1/static-export/jobs/{jobId}/bundle` answers. */
export interface StaticExportBundle {
    /** The one asked for when the server leaves it out. */
    jobId: string;
    /** Presigned: whoever has it has the archive. Treat it as a secret. */
    bundleUrl: string;
    /** RFC 3339 date-time. From the API, or else from the link itself; absent when neither says. */
    expiresAt?: string;
    /** Size of the archive in bytes. */
    sizeBytes?: number;
    /** RFC 3339 date-time: the server's own clock when it made the link, where its Date header tells; whole seconds. */
    serverTimeAt?: string;
}

function decodeDetails(job: JsonObject, clean: Clean): JobDetails {
    return {
        ...optionalField(job, "progress", decodeNumber),
        ...optionalField(job, "pageCount", decodeNumber),
        ...optionalField(job, "createdAt", decodeDateTime),
        ...optionalField(job, "updatedAt", decodeDateTime),
        ...optionalField(job, "error", (object, key) => decodeText(object, key, clean)),
    };
}

/** An answer about another job than the one asked for must not be taken for it. */
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
