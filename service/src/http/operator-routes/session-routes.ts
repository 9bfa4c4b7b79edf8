import { type AuditLog } from "../../history/audit-log.js";
import { keyScopes } from "../../keys/admin-keys.js";
import { cursorOf, type Page, type PageRequest, parseCursor } from "../../keys/read-page.js";
import { type SessionRecord } from "../../keys/session-records.js";
import { assertUnlimited, type Caller, isUnlimited, logAct, narrowedTo } from "../protocol/caller.js";
import { ListAuditQuery, ListSessionsQuery, SessionParams } from "../protocol/operator-requests.js";
import { RequestError } from "../protocol/request-error.js";
import { routesOf } from "../protocol/route.js";

interface SessionRoutesOptions {
    sessions: {
        list(page: PageRequest & { ownerId: string | null | undefined }): Promise<Page<SessionRecord>>;
        get(id: string): Promise<SessionRecord | undefined>;
        end(id: string): Promise<void>;
    };
    audit: AuditLog;
}

const route = routesOf<SessionRoutesOptions>("Keys");
const defaultLimit = 20;

const listSessions = route({
    at: "GET /v1/sessions",
    operation: "session-list",
    scopes: keyScopes,
    id: "listSessions",
    summary: "List the dashboard sessions of the key, or all sessions if the key manages all keys",
    request: { querystring: ListSessionsQuery },
    answer: [200, "SessionList", "The sessions that have not ended, the newest first."],
    handle: async ({ caller, query: { limit = defaultLimit, cursor } }, { sessions }) => {
        const { items, next } = await sessions.list({
            ownerId: seesAll(caller) ? undefined : caller.id,
            before: parseCursor(cursor),
            limit: Number(limit),
        });
        return { sessions: items.map(answerOf), next: next === undefined ? null : cursorOf(next) };
    },
});

const endSession = route({
    at: "DELETE /v1/sessions/:sessionId",
    operation: "session-end",
    scopes: keyScopes,
    id: "endSession",
    summary: "End a session of the dashboard",
    request: { params: SessionParams },
    answer: [200, "Session", "The session, which has ended."],
    errors: [404],
    handle: async (request, { sessions, audit }) => {
        const { caller, params } = request;
        const session = await sessions.get(params.sessionId);
        if (session === undefined || !(seesAll(caller) || session.ownerId === caller.id)) {
            throw new RequestError(404, `There is no session ${params.sessionId}.`);
        }
        await sessions.end(session.id);
        logAct(audit, request, `ended session ${session.id} of ${session.name}`);
        return answerOf(session);
    },
});

const listAudit = route({
    at: "GET /v1/audit",
    operation: "audit",
    scopes: ["keys"],
    id: "listAudit",
    summary: "List what people and keys did",
    request: { querystring: ListAuditQuery },
    answer: [200, "AuditList", "The entries that are still kept, the newest first."],
    handle: async ({ caller, query }, { audit }) => {
        assertUnlimited(caller);
        const { limit = defaultLimit, cursor, count, since, until, ...texts } = query;
        const filter = {
            ...texts,
            since: since === undefined ? undefined : new Date(since),
            until: until === undefined ? undefined : new Date(until),
        };
        const before = cursor === undefined ? undefined : Number(cursor);
        const { entries, next } = await audit.list(filter, Number(limit), before);
        return {
            entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
            ...(count === undefined ? {} : { total: await audit.count(filter) }),
            next: next === undefined ? null : String(next),
        };
    },
});

/** The sessions of people, and what they did. */
export const sessionRoutes = [listSessions, endSession, listAudit];

function seesAll(caller: Caller): boolean {
    return caller.scopes.includes("keys") && isUnlimited(narrowedTo(["keys"], caller));
}

function answerOf({ createdAt, seenAt, expiresAt, content: _content, ...session }: SessionRecord) {
    return {
        ...session,
        createdAt: createdAt.toISOString(),
        seenAt: seenAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
    };
}
