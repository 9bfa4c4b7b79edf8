import { type FastifyRequest } from "fastify";
import { type LogFields } from "../../shared/logger.js";

/** The fields of a log line about what a client did to a job. */
export function aboutRequest({ id, caller }: Pick<FastifyRequest, "id" | "caller">, job: string): LogFields {
    return { job, request: id, key: caller.name, ...(caller.id === null ? {} : { keyId: caller.id }) };
}
