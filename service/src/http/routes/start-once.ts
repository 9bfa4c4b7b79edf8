import { type FastifyReply, type onRequestHookHandler } from "fastify";
import {
    IdempotencyKeyReusedError,
    type IdempotencyKeys,
    type KeyedRequest,
    type KeyedWork,
} from "../../jobs/idempotency-keys.js";
import { type SqlClient } from "../../database/database.js";
import { findKey } from "../../keys/admin-keys.js";
import { type Caller, logAct, mayManage } from "../protocol/caller.js";
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
 * Refuses a request whose key was revoked or lost rights meanwhile. Without this, a key could create or start something
 * after its rights were taken away, which would then stay.
 *
 * @param caller - absent for a webhook
 * @param within - a transaction of `IdempotencyKeys`, because no key changes at the same time
 */
async function expectUnchanged(caller: Caller | undefined, within: SqlClient): Promise<void> {
    const key = typeof caller?.id === "string" ? await findKey(caller.id, within) : undefined;
    if (caller === undefined || key === undefined) {
        return;
    }
    if (key.revokedAt !== null) {
        throw new RequestError(401, `Admin API key ${key.name} was revoked while this request was handled.`);
    }
    if (!mayManage(key, { ...caller, expiresAt: caller.expiresAt ?? null })) {
        throw new RequestError(
            403,
            `Admin API key ${key.name} lost rights while this request was handled: send it again if the key may ` +
                "still do this.",
        );
    }
}

/** @returns `act`, which refuses a caller whose key was revoked or lost rights meanwhile */
function ifUnchanged<T>(caller: Caller | undefined, act: (transaction: SqlClient) => Promise<T>): typeof act {
    return async (transaction) => {
        await expectUnchanged(caller, transaction);
        return act(transaction);
    };
}

/** Changes something, unless the key of the caller was revoked or lost rights meanwhile. */
export function actUnchanged<T>(
    keys: IdempotencyKeys,
    caller: Caller,
    act: (transaction: SqlClient) => Promise<T>,
): Promise<T> {
    return keys.always(ifUnchanged(caller, act));
}

/**
 * Starts one job for each `Idempotency-Key`, and one for each request without a key. Returns the job's id, and sets
 * `Idempotency-Replayed: true` if an earlier request had started the job.
 */
export async function startOnce(
    keys: IdempotencyKeys,
    { reply, key, ...what }: StartRequest,
    { start, hasJob }: KeyedWork,
): Promise<string> {
    const work = { start: ifUnchanged(reply.request.caller, start), hasJob };
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
