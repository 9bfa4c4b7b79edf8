import { type SqlClient } from "../../database/database.js";
import { type SiteJobStore } from "../../exports/site-job-store.js";
import { type IdempotencyKeys } from "../../jobs/idempotency-keys.js";
import { RequestError } from "../protocol/request-error.js";
import { startOnce, type StartRequest } from "./start-once.js";

export interface Queue {
    store: SiteJobStore;
    keys: IdempotencyKeys;
    /** Called when a job is queued. */
    onQueued: () => void;
    maxQueuedJobs: number;
    maxQueuedJobsPerDomain: number;
}

interface QueueRequest extends StartRequest {
    domain: string;
    /** Whether the same key starts another job after the first one has failed. @default false */
    retriesFailed?: boolean;
}

/** Roughly the time in which the queue advances by one job. */
const retryAfterSeconds = 10;

/**
 * Queues an export or an update once for each key. @returns its id
 *
 * @param create - gets a function that throws a RequestError when too many jobs are waiting
 * @throws RequestError, also if the key belongs to another request
 */
export async function queueOnce(
    { domain, retriesFailed = false, ...request }: QueueRequest,
    queue: Queue,
    create: (transaction: SqlClient, expectRoom: () => Promise<void>) => Promise<{ jobId: string }>,
): Promise<string> {
    const { store, keys, onQueued } = queue;
    const jobId = await startOnce(keys, request, {
        start: async (transaction) => {
            const expectRoom = async () => {
                const reason = await findLackOfRoom(domain, queue, transaction);
                if (reason !== undefined) {
                    void request.reply.header("retry-after", retryAfterSeconds);
                    throw new RequestError(429, `${reason}: wait until some have ended.`);
                }
            };
            return (await create(transaction, expectRoom)).jobId;
        },
        hasJob: async (known, transaction) => {
            const job = await store.get(known, transaction);
            return job !== undefined && !(retriesFailed && job.status === "failed");
        },
    });
    onQueued();
    return jobId;
}

async function findLackOfRoom(
    domain: string,
    { store, maxQueuedJobs, maxQueuedJobsPerDomain }: Queue,
    transaction: SqlClient,
): Promise<string | undefined> {
    const queued = await store.countQueued(domain, transaction);
    return queued.ofDomain >= maxQueuedJobsPerDomain || queued.total >= maxQueuedJobs
        ? `Too many static export jobs are waiting (${queued.ofDomain} of ${domain}, ${queued.total} in all)`
        : undefined;
}
