import {
    answer,
    bundleLink,
    type Clean,
    DecodeProblem,
    exportJob,
    jobDetails,
    jobRecord,
    list,
    member,
    nullable,
    object,
    readAs,
    optional,
    type Received,
} from "@pulumi-static-export/contract/api";
import { type exportJobStatuses } from "@pulumi-static-export/contract";
import { parseLinkExpiry } from "../bundle/link-expiry.js";

/** `completed` and `failed` come from the contract, `queued` and `running` from the public platform. */
export type KnownStaticExportJobStatus = (typeof exportJobStatuses)[number];
/** An unknown status is passed on unchanged: it neither ends polling nor speeds it up. */
export type StaticExportJobStatus = PlatformExportJob["status"];

/** The statuses that end an export job, and with it polling. */
export const terminalStaticExportJobStatuses: ReadonlySet<string> = new Set<KnownStaticExportJobStatus>([
    "completed",
    "failed",
]);

const startedJob = { ...exportJob, status: optional(exportJob.status) };

/** The response to a start: the contract guarantees only `jobId`, the public platform returns the whole job. */
export type StartedStaticExportJob = Received<typeof startedJob>;
export const decodeStartedStaticExportJob = answer(object(startedJob));

/**
 * An export job as returned by its status endpoint. If the response omits `jobId`, the property contains the requested
 * id.
 */
export type PlatformExportJob = Received<typeof exportJob>;

export function decodeStaticExportJob(body: unknown, clean: Clean, jobId: string): PlatformExportJob {
    return answer(object({ ...exportJob, jobId: requested(jobId) }))(body, clean);
}

/** Rejects a response about a job other than the requested one. */
function requested(jobId: string) {
    return readAs(nullable(exportJob.jobId), (given) => {
        if ((given ?? jobId) !== jobId) {
            throw new DecodeProblem(`"jobId" must be ${jobId}, got the id of another job`);
        }
        return jobId;
    });
}

/** The response to `POST /v1/static-export/jobs/{jobId}/bundle`. */
export type BundleLink = Received<typeof bundleLink> & {
    /** RFC 3339 date-time in whole seconds: the server's clock when it created the link, from the Date header. */
    serverTimeAt?: string;
};

export function decodeStaticExportBundle(
    body: unknown,
    clean: Clean,
    jobId: string,
    serverTimeMs: number | undefined,
): BundleLink {
    const decoded = answer(object({ ...bundleLink, jobId: requested(jobId) }))(body, clean);
    const expiresAt = decoded.expiresAt ?? parseLinkExpiry(decoded.bundleUrl)?.toISOString();
    return {
        ...decoded,
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(serverTimeMs === undefined ? {} : { serverTimeAt: new Date(serverTimeMs).toISOString() }),
    };
}

/** An export job in a list of jobs. */
export type StaticExportRecord = Received<typeof jobRecord>;
export const decodeStaticExportRecords = answer(member("jobs", list(object(jobRecord))));

/** What the self-hosted service knows about a job beyond the contract. */
export type StaticExportDetails = Received<typeof jobDetails>;

export function decodeStaticExportDetails(body: unknown, clean: Clean, jobId: string): StaticExportDetails {
    return answer(object({ ...jobDetails, jobId: requested(jobId) }))(body, clean);
}
