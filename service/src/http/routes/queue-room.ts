import { type FastifyReply } from "fastify";
import { type SqlRunner } from "../../database/database.js";
import { type StaticExportStore } from "../../exports/static-export-store.js";
import { RequestError } from "../protocol/request-error.js";

export interface QueueLimits {
    maxQueuedJobs: number;
    maxQueuedJobsPerDomain: number;
}

/** Roughly the time in which the queue advances by one job. */
const retryAfterSeconds = 10;

/** @throws RequestError when too many jobs are waiting */
export async function assertQueueHasRoom(
    store: StaticExportStore,
    domain: string,
    { maxQueuedJobs, maxQueuedJobsPerDomain }: QueueLimits,
    reply: FastifyReply,
    transaction: SqlRunner,
): Promise<void> {
    const queued = await store.countQueued(domain, transaction);
    if (queued.ofDomain >= maxQueuedJobsPerDomain || queued.total >= maxQueuedJobs) {
        void reply.header("retry-after", retryAfterSeconds);
        throw new RequestError(
            429,
            `Too many static export jobs are waiting (${queued.ofDomain} of ${domain}, ${queued.total} in all): ` +
                "wait until some have ended.",
        );
    }
}
