import { type FastifyReply, type FastifyRequest } from "fastify";
import { type NewUpdate } from "../../exports/site-job-store.js";
import { traceParentOf } from "../../shared/traces.js";
import { type Caller } from "../protocol/caller.js";
import { type Queue, queueOnce } from "./queue-once.js";

export interface UpdateRequest {
    request: Pick<FastifyRequest, "trace">;
    reply: FastifyReply;
    /** Undefined for a webhook. */
    caller?: Caller;
    update: Omit<NewUpdate, "traceParent" | "queuedBy">;
    /** Identifies the request: its `Idempotency-Key`, or the delivery of a webhook. */
    key: string | undefined;
}

/**
 * Starts an update once for each key. @returns its id
 *
 * @throws RequestError when the queue is full, or the key belongs to another request
 */
export async function startUpdate(
    { request, reply, caller, update, key }: UpdateRequest,
    queue: Queue,
): Promise<string> {
    const { domain, projectId, preview, isDone } = update;
    const isPush = update.startedBy !== "api";
    const scope = `${isPush ? "webhook" : "update"} ${domain}`;
    const started = preview === undefined ? { projectId } : { projectId, preview };
    // People deliver a push again because its update has failed.
    const once = { reply, key, scope, started, domain, retriesFailed: isPush };
    return queueOnce(once, queue, async (transaction, expectRoom) => {
        // An update that is still waiting will fetch this push, too.
        const queued = isPush ? await queue.store.findQueuedUpdate(domain, transaction) : undefined;
        if (queued !== undefined) {
            return { jobId: queued };
        }
        if (!isDone) {
            await expectRoom();
        }
        const queuedBy = caller === undefined ? "webhook" : caller.id;
        return queue.store.createUpdate(
            { ...update, queuedBy, traceParent: traceParentOf(request.trace) },
            transaction,
        );
    });
}
