import { createHash, timingSafeEqual } from "node:crypto";
import { type onRequestHookHandler } from "fastify";

/** Lets only requests with `Authorization: Bearer <adminApiKey>` pass; compares in constant time. */
export function requireAdminApiKey(adminApiKey: string): onRequestHookHandler {
    const expected = digest(adminApiKey);
    return (request, reply, done) => {
        const [, key] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "") ?? [];
        if (key !== undefined && timingSafeEqual(digest(key), expected)) {
            done();
            return;
        }
        const reason =
            key === undefined
                ? "The request carries no admin API key: send it as Authorization: Bearer <key>."
                : "The admin API key is not the one of this service.";
        void reply.code(401).header("www-authenticate", 'Bearer realm="admin API"').send({ error: reason });
    };
}

function digest(key: string): Buffer {
    return createHash("sha256").update(key).digest();
}
