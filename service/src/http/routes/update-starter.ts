import { type FastifyReply, type FastifyRequest } from "fastify";
import { type SqlClient } from "../../database/database.js";
import { type JobOwner, type NewUpdate, type StaticExportStore } from "../../exports/static-export-store.js";
import { type IdempotencyKeys } from "../../jobs/idempotency-keys.js";
import { traceParentOf } from "../../shared/traces.js";
import { type Caller, ownerOf } from "../protocol/caller.js";
import { startOnce } from "./idempotency.js";
import { assertQueueHasRoom, type QueueLimits } from "./queue-limits.js";

export interface UpdateStarterOptions extends QueueLimits {
    store: StaticExportStore;
    /** Called when an update is queued. */
    onQueued: () => void;
    keys: IdempotencyKeys;
}

export interface UpdateRequest {
    request: Pick<FastifyRequest, "trace">;
    reply: FastifyReply;
    /** Undefined for a webhook. */
    caller?: Caller;
    update: Omit<NewUpdate, "traceParent" | keyof JobOwner>;
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
    options: UpdateStarterOptions,
): Promise<string> {
    const { store, keys, onQueued } = options;
    const { domain, projectId, preview, isDone } = update;
    const isPush = update.startedBy !== "api";
    const start = async (transaction: SqlClient): Promise<string> => {
        // An update that is still waiting will fetch this push, too.
        const queued = isPush ? await store.findQueuedUpdate(domain, transaction) : undefined;
        if (queued !== undefined) {
            return queued;
        }
        if (!isDone) {
            await assertQueueHasRoom(store, { domain, caller }, options, reply, transaction);
        }
        const owner = caller === undefined ? { queuedBy: "webhook" } : ownerOf(caller);
        const traceParent = traceParentOf(request.trace);
        return (await store.createUpdate({ ...update, ...owner, traceParent }, transaction)).jobId;
    };
    const hasJob = async (known: string, transaction: SqlClient): Promise<boolean> =>
        (await store.get(known, transaction)) !== undefined;
    const keyed = { headers: key === undefined ? {} : { "idempotency-key": key } };
    const scope = `${isPush ? "webhook" : "update"} ${domain}`;
    const started = preview === undefined ? { projectId } : { projectId, preview };
    const statusId = await startOnce(keys, { request: keyed, reply, scope, started }, { start, hasJob });
    onQueued();
    return statusId;
}
