import { type FastifyReply, type onRequestHookHandler } from "fastify";
import {
    idempotencyKeyMaxAgeSeconds,
    IdempotencyKeyReusedError,
    type IdempotencyKeys,
    type KeyedRequest,
} from "../store/idempotency-keys.js";
import { RequestError } from "./request-error.js";

/** Adds a header to every response, even an error, that says for how many seconds keys are honoured. */
export const announceIdempotency: onRequestHookHandler = (_request, reply, done) => {
    void reply.header("idempotency-key-max-age", idempotencyKeyMaxAgeSeconds);
    done();
};

interface StartRequest extends Omit<KeyedRequest, "key"> {
    request: { headers: { "idempotency-key"?: string } };
    reply: FastifyReply;
}

/**
 * Starts a job once for each `Idempotency-Key`, and always for a request without one. Returns the job's id, and
 * sets `Idempotent-Replayed: true` in the response if an earlier request had started it.
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
