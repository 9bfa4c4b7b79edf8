import { type FastifyReply } from "fastify";
import { type SqlClient } from "../../database/database.js";
import { type StaticExportStore } from "../../exports/static-export-store.js";
import { type Caller } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";

export interface QueueLimits {
    maxQueuedJobs: number;
    maxQueuedJobsPerDomain: number;
}

/** Roughly the time in which the queue advances by one job. */
const retryAfterSeconds = 10;

/**
 * @param caller - undefined for a webhook
 * @throws RequestError when too many jobs are waiting
 */
export async function assertQueueHasRoom(
    store: StaticExportStore,
    { domain, caller }: { domain: string; caller: Caller | undefined },
    { maxQueuedJobs, maxQueuedJobsPerDomain }: QueueLimits,
    reply: FastifyReply,
    transaction: SqlClient,
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
    if (typeof caller?.id === "string" && caller.maxQueuedJobs !== null) {
        const own = await store.countQueuedBy(caller.id, transaction);
        if (own >= caller.maxQueuedJobs) {
            void reply.header("retry-after", retryAfterSeconds);
            throw new RequestError(
                429,
                `Admin API key ${caller.name} has ${own} waiting jobs, and its limit is ${caller.maxQueuedJobs}: wait until ` +
                    "some have ended.",
            );
        }
    }
}
