import { type FastifyReply, type onRequestHookHandler } from "fastify";
import {
    IdempotencyKeyReusedError,
    type IdempotencyKeys,
    type KeyedRequest,
    type KeyedWork,
} from "../../jobs/idempotency-keys.js";
import { logAct } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";

/** Announces how long the service stores keys, in seconds, in a header of every response, including errors. */
export function announceIdempotency(maxAgeSeconds: number): onRequestHookHandler {
    return (_request, reply, done) => {
        void reply.header("idempotency-key-max-age", maxAgeSeconds);
        done();
    };
}

/** Whether an earlier request had started what this one asks for, so that it is not in the audit log again. */
export function isReplayed(reply: FastifyReply): boolean {
    return reply.hasHeader("idempotency-replayed");
}

/** Logs what a request did, unless an earlier one did it. Call this before anything that can fail. */
export function logOnce(reply: FastifyReply, ...act: Parameters<typeof logAct>): void {
    if (!isReplayed(reply)) {
        logAct(...act);
    }
}

export interface StartRequest extends Omit<KeyedRequest, "key"> {
    /** Undefined for a request that may start a further job each time. */
    key: string | undefined;
    reply: FastifyReply;
}

/** Changes something once for each `Idempotency-Key`, as {@link startOnce} starts jobs. @param act - returns its id */
export async function actOnce(keys: IdempotencyKeys, what: StartRequest, act: KeyedWork["start"]): Promise<void> {
    await startOnce(keys, what, { start: act, hasJob: () => Promise.resolve(true) });
}

/**
 * Starts one job for each `Idempotency-Key`, and one for each request without a key. Returns the job's id, and sets
 * `Idempotency-Replayed: true` if an earlier request had started the job.
 */
export async function startOnce(
    keys: IdempotencyKeys,
    { reply, key, ...what }: StartRequest,
    work: KeyedWork,
): Promise<string> {
    if (key === undefined) {
        return keys.always(work.start);
    }
    try {
        const { jobId, isReplayed } = await keys.once({ ...what, key }, work);
        if (isReplayed) {
            void reply.header("idempotency-replayed", "true");
        }
        return jobId;
    } catch (error) {
        throw error instanceof IdempotencyKeyReusedError ? new RequestError(422, error.message) : error;
    }
}
