import { type FastifyReply, type onRequestHookHandler } from "fastify";
import {
    idempotencyKeyMaxAgeSeconds,
    IdempotencyKeyReusedError,
    type IdempotencyKeys,
    type KeyedRequest,
} from "../store/idempotency-keys.js";
import { RequestError } from "./request-error.js";

/** Tells every client of the API, also with an error, that keys are honoured and for how many seconds. */
export const announceIdempotency: onRequestHookHandler = (_request, reply, done) => {
    void reply.header("idempotency-key-max-age", idempotencyKeyMaxAgeSeconds);
    done();
};

interface StartRequest extends Omit<KeyedRequest, "key"> {
    request: { headers: { "idempotency-key"?: string } };
    reply: FastifyReply;
}

/**
 * Starts something once for each `Idempotency-Key`, or in any case for a request without one. Gives the job's id, and
 * marks the answer with `Idempotent-Replayed: true` when an earlier request had started it.
 */
export function startOnce(
    keys: IdempotencyKeys,
    { request, reply, ...what }: StartRequest,
    start: () => string,
): string {
    const key = request.headers["idempotency-key"];
    if (key === undefined) {
        return start();
    }
    try {
        const { jobId, isReplayed } = keys.once({ ...what, key }, start);
        if (isReplayed) {
            void reply.header("idempotent-replayed", "true");
        }
        return jobId;
    } catch (error) {
        throw error instanceof IdempotencyKeyReusedError ? new RequestError(422, error.message) : error;
    }
}
