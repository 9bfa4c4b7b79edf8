import { type FastifyRequest } from "fastify";
import { type LogFields } from "../../shared/logger.js";

/** The log fields for a client's action on a job. */
export function aboutRequest({ id, caller }: Pick<FastifyRequest, "id" | "caller">, job: string): LogFields {
    return { job, request: id, key: caller.name, ...(caller.id === null ? {} : { keyId: caller.id }) };
}
