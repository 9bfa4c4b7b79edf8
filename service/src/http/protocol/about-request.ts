import { aboutAttempt } from "../../jobs/attempts.js";
import { type Caller } from "./caller.js";
import { type FastifyRequest } from "fastify";
import { type LogFields } from "../../shared/logger.js";

/** The log fields for a client's action on a job. @param domain - the job's site, if it has one */
export function aboutRequest(
    { id, caller }: Pick<FastifyRequest, "id" | "caller">,
    job: string,
    domain?: string,
): LogFields {
    return {
        ...aboutAttempt({ jobId: job, ...(domain === undefined ? {} : { domain }) }),
        request: id,
        ...aboutCaller(caller),
    };
}

/** The log fields for the key that a request used. */
export function aboutCaller({ id, name }: Caller): LogFields {
    return { key: name, ...(id === null ? {} : { keyId: id }) };
}
