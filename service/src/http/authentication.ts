import { randomBytes } from "node:crypto";
import { type FastifyReply, type FastifyRequest } from "fastify";
import { type AdminKeys } from "../keys/admin-keys.js";
import { type OperatorKeys } from "../keys/operator-keys.js";
import { type Caller, findMissingAccess, narrowedTo, operator } from "./protocol/caller.js";

/** Lets pages of this process send requests for the person who has signed in. Each ticket is valid for one request. */
export class CallerTickets {
    readonly #callers = new Map<string, Caller>();

    issue(caller: Caller): string {
        const ticket = randomBytes(24).toString("base64url");
        this.#callers.set(ticket, caller);
        return ticket;
    }

    redeem(ticket: string): Caller | undefined {
        const caller = this.#callers.get(ticket);
        this.#callers.delete(ticket);
        return caller;
    }
}

/**
 * Accepts only requests with `Authorization: Bearer <key>`: with one of the service's own keys, or with one of `keys`
 * that has a scope of the route and access to the project in its path. Pages of this process send one of `tickets`
 * instead.
 */
export function requireAdminApiKey(
    operatorKeys: Pick<OperatorKeys, "idOf">,
    keys: Pick<AdminKeys, "find">,
    tickets: CallerTickets,
) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
        const [, ticket] = /^Page (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
        const [, key] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "") ?? [];
        const caller =
            key !== undefined
                ? operatorKeys.idOf(key) === undefined
                    ? await keys.find(key)
                    : operator
                : tickets.redeem(ticket ?? "");
        if (caller === undefined) {
            const reason =
                key === undefined
                    ? "The request carries no admin API key: send it as Authorization: Bearer <key>."
                    : "The admin API key is unknown, has expired or was revoked.";
            return reply.code(401).header("www-authenticate", 'Bearer realm="admin API"').send({ error: reason });
        }
        request.isOfPage = key === undefined;
        const { projectId } = request.params as { projectId?: string };
        const { config } = request.routeOptions;
        const refusal = findMissingAccess(caller, config, projectId);
        if (refusal !== undefined) {
            return reply.code(403).send({ error: refusal });
        }
        request.caller = narrowedTo(config.scopes ?? [], caller);
        return undefined;
    };
}
