import { type FastifyReply, type FastifyRequest } from "fastify";
import { type SqlRunner } from "../../database/database.js";
import { type NewUpdate, type StaticExportStore } from "../../exports/static-export-store.js";
import { type IdempotencyKeys } from "../../jobs/idempotency-keys.js";
import { traceParentOf } from "../../shared/traces.js";
import { startOnce } from "./idempotency.js";
import { assertQueueHasRoom, type QueueLimits } from "./queue-room.js";

export interface UpdateStarterOptions extends QueueLimits {
    store: StaticExportStore;
    /** Called when an update was queued. */
    onQueued: () => void;
    keys: IdempotencyKeys;
}

export interface UpdateRequest {
    request: Pick<FastifyRequest, "trace" | "headers">;
    reply: FastifyReply;
    update: Omit<NewUpdate, "traceParent">;
    /** Identifies the request, if it is not its `Idempotency-Key`. */
    key?: string;
    /** Takes an update that waits in the queue instead of starting another one: it will fetch the newest commit, too. */
    joinsQueued?: boolean;
}

/**
 * Starts an update once for each key. @returns its id
 *
 * @throws RequestError when the queue is full, or the key had another request
 */
export async function startUpdate(
    { request, reply, update, key, joinsQueued = false }: UpdateRequest,
    options: UpdateStarterOptions,
): Promise<string> {
    const { store, keys, onQueued } = options;
    const { domain, projectId, preview, isDone } = update;
    const start = async (transaction: SqlRunner): Promise<string> => {
        const queued = joinsQueued ? await store.findQueuedUpdate(domain, transaction) : undefined;
        if (queued !== undefined) {
            return queued;
        }
        if (!isDone) {
            await assertQueueHasRoom(store, domain, options, reply, transaction);
        }
        return (await store.createUpdate({ ...update, traceParent: traceParentOf(request.trace) }, transaction)).jobId;
    };
    const hasJob = async (known: string, transaction: SqlRunner): Promise<boolean> =>
        (await store.get(known, transaction)) !== undefined;
    const keyed = key === undefined ? request : { headers: { "idempotency-key": key } };
    const scope = `${key === undefined ? "update" : "webhook"} ${domain}`;
    const started = preview === undefined ? { projectId } : { projectId, preview };
    const statusId = await startOnce(keys, { request: keyed, reply, scope, started }, { start, hasJob });
    onQueued();
    return statusId;
}
